// Pictures of taught objects: from 12 x 12 pixels, or from a file of the visitor.
import { Trouble } from "./api.js";
import { element } from "./dom.js";
import { PIXELS } from "./drawing.js";

const LARGE = 96;

function sheet(side) {
  const canvas = element("canvas", { width: side, height: side });
  return { canvas, context: canvas.getContext("2d", { willReadFrequently: true }) };
}

/** A file as a square PNG in base64, the whole picture fitted in, and as the 12 x 12 pixels that the agent will see. */
export async function readFile(file) {
  const bitmap = await createImageBitmap(file);
  const { canvas, context } = sheet(LARGE);
  const scale = LARGE / Math.max(bitmap.width, bitmap.height);
  const [width, height] = [bitmap.width * scale, bitmap.height * scale];
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, (LARGE - width) / 2, (LARGE - height) / 2, width, height);
  return { png: canvas.toDataURL("image/png").split(",")[1], pixels: shrink(context) };
}

/** Averages of 8 x 8 blocks; empty if most of a block is transparent. */
function shrink(context) {
  const block = LARGE / PIXELS;
  const { data } = context.getImageData(0, 0, LARGE, LARGE);
  return Array.from({ length: PIXELS * PIXELS }, (_, index) => {
    const [row, column] = [Math.floor(index / PIXELS), index % PIXELS];
    const sums = [0, 0, 0, 0];
    for (let y = row * block; y < (row + 1) * block; y++)
      for (let x = column * block; x < (column + 1) * block; x++) {
        const at = 4 * (y * LARGE + x);
        const opacity = data[at + 3];
        for (let c = 0; c < 3; c++) sums[c] += data[at + c] * opacity;
        sums[3] += opacity;
      }
    if (sums[3] < (255 * block * block) / 2) return "";
    return `#${sums.slice(0, 3).map((sum) => Math.round(sum / sums[3]).toString(16).padStart(2, "0")).join("")}`;
  });
}

/** A picture on the floor, as a data URL. */
export async function onTheFloor({ pixels, png }, tiles, floor) {
  const { canvas, context } = sheet(LARGE);
  tiles.draw(context, floor, 0, 0, LARGE);
  if (png) {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode().catch(() => {
      throw new Trouble("The picture of this word cannot be read; the link may be damaged.");
    });
    context.drawImage(image, 0, 0, LARGE, LARGE);
  } else {
    const cell = LARGE / PIXELS;
    pixels.forEach((pixel, index) => {
      if (!pixel) return;
      context.fillStyle = pixel;
      context.fillRect((index % PIXELS) * cell, Math.floor(index / PIXELS) * cell, cell, cell);
    });
  }
  return canvas.toDataURL("image/png");
}
