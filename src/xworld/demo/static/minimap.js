// Small maps of the network's attention above the faint scene.
import { color, element, sharpen } from "./dom.js";
import { cells, onTheMap, SIDE, tileAt } from "./scene.js";

const FAINT = 0.4;

/** A small map as a figure with a caption; `values` is egocentric, 13 x 13, seen from `at`. */
export function smallMap({ tiles, scene, at, values, tint, side = 92, label, caption }) {
  const canvas = element("canvas", { class: "small-map", role: "img", "aria-label": label });
  canvas.style.width = canvas.style.height = `${side}px`;
  paint(canvas, { tiles, scene, at, values, tint, side });
  return caption ? element("figure", { class: "small" }, canvas, element("figcaption", {}, caption)) : canvas;
}

function paint(canvas, { tiles, scene, at, values, tint, side }) {
  const context = sharpen(canvas, side, side);
  const cell = side / SIDE;
  const shares = cells.map(onTheMap(values, at));
  context.fillStyle = color("--card");
  context.fillRect(0, 0, side, side);
  cells.forEach(([row, column], index) => {
    context.globalAlpha = FAINT;
    tiles.draw(context, tileAt(scene, [row, column]), column * cell, row * cell, cell);
    context.globalAlpha = 0.92 * Math.sqrt(Math.min(Math.max(shares[index], 0), 1));
    context.fillStyle = color(tint);
    context.fillRect(column * cell, row * cell, cell, cell);
  });
  context.globalAlpha = 1;
  dot(context, at, cell);
}

function dot(context, [row, column], cell) {
  context.beginPath();
  context.arc((column + 0.5) * cell, (row + 0.5) * cell, cell * 0.26, 0, 2 * Math.PI);
  Object.assign(context, { fillStyle: "#ffffff", strokeStyle: "#1f2328", lineWidth: 1.5 });
  context.fill();
  context.stroke();
}
