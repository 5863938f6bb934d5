// The pictures of tiles: one image with all of them in rows, and one for each taught word.
import { element } from "./dom.js";
import { AGENT, FIRST_OBJECT, FLOOR, WALL } from "./scene.js";

const PIXELS = 96;
const SAME = 24; // colors that differ by less are taken for the floor

export class Tiles {
  constructor(about) {
    this.kinds = new Map(about.tiles.map((tile) => [tile.id, tile]));
    this.columns = about.tile_columns;
    this.taught = new Map(); // tile id -> {picture, word, source}
    this.cutOuts = new Map();
    this.atlas = new Image();
    this.ready = new Promise((resolve, reject) => {
      this.atlas.onload = () => resolve();
      this.atlas.onerror = () => reject(new Error("The pictures did not load; please reload the page."));
    });
    this.atlas.src = "/tiles.png";
  }

  /** Add the picture of a taught object. */
  async teach(id, word, color, source) {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    this.taught.set(id, { picture, word, source });
    this.kinds.set(id, { id, class: word, color: color ?? "", name: color ? `${color} ${word}` : word });
  }

  /** Taught objects belong to an agent: another one has others, or none. */
  forget() {
    for (const id of this.taught.keys()) {
      this.kinds.delete(id);
      this.cutOuts.delete(id);
    }
    this.taught.clear();
  }

  get objects() {
    return [...this.kinds.values()].filter(({ id }) => id >= FIRST_OBJECT);
  }

  name(id) {
    return { [FLOOR]: "floor", [WALL]: "wall", [AGENT]: "the agent" }[id] ?? this.kinds.get(id)?.name ?? "unknown";
  }

  draw(context, id, x, y, size) {
    const own = this.taught.get(id);
    if (own) context.drawImage(own.picture, x, y, size, size);
    // Half a pixel inside the border, so that neighbors in the image do not shine through.
    else context.drawImage(this.atlas, ...this.#corner(id, 0.5), PIXELS - 1, PIXELS - 1, x, y, size, size);
  }

  /** Where a tile begins in the image of all. */
  #corner(id, inset = 0) {
    const [row, column] = this.#place(id);
    return [column * PIXELS + inset, row * PIXELS + inset];
  }

  #place(id) {
    return [Math.floor(id / this.columns), id % this.columns];
  }

  /** A small picture for buttons and lists. */
  icon(id) {
    const own = this.taught.get(id);
    if (own) return element("img", { class: "tile", src: own.source, alt: "" });
    const [row, column] = this.#place(id);
    const place = { "--row": row, "--column": column, "--columns": this.columns };
    return element("span", { class: "tile", ...place, "aria-hidden": "true" });
  }

  /** The same without the floor beneath it, to draw over colored floor. */
  drawAlone(context, id, x, y, size) {
    if (!this.cutOuts.has(id)) this.cutOuts.set(id, this.#cutOut(id));
    context.drawImage(this.cutOuts.get(id), x, y, size, size);
  }

  #cutOut(id) {
    const [thing, floor] = [this.#pixels(id), this.#pixels(FLOOR)];
    const { data } = thing.image;
    for (let i = 0; i < data.length; i += 4) {
      const apart = [0, 1, 2].reduce((sum, c) => sum + Math.abs(data[i + c] - floor.image.data[i + c]), 0);
      if (apart < SAME) data[i + 3] = 0;
    }
    thing.context.putImageData(thing.image, 0, 0);
    return thing.canvas;
  }

  #pixels(id) {
    const canvas = element("canvas", { width: PIXELS, height: PIXELS });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const own = this.taught.get(id);
    if (own) context.drawImage(own.picture, 0, 0, PIXELS, PIXELS);
    else context.drawImage(this.atlas, ...this.#corner(id), PIXELS, PIXELS, 0, 0, PIXELS, PIXELS);
    return { canvas, context, image: context.getImageData(0, 0, PIXELS, PIXELS) };
  }
}
