// What the large map looks like. Every function takes a brush: {context, cell, tiles, accent}, `cell` in pixels.
import { color } from "./dom.js";
import { AGENT, cells, isInside, objects, SIDE, tileAt } from "./scene.js";

const DENSEST = 0.62; // opacity of the highest attention
const DIRECTIONS = [[-1, 0], [1, 0], [0, -1], [0, 1]]; // up, down, left, right
const ARROW = [[0.75, 0], [-0.6, 0.8], [-0.25, 0], [-0.6, -0.8]];
const TICK = [[0.79, 0.15], [0.84, 0.2], [0.93, 0.09]];
const LEAST = 0.02; // probabilities below this get no arrow
// The map is light in both themes, and so is what is drawn on it.
const WHITE = "#ffffff";
const INK = "#1f2328";
const RIGHT = "#00795a";

export function tiles({ context, cell, tiles: pictures }, scene) {
  for (const [row, column] of cells) {
    pictures.draw(context, tileAt(scene, [row, column]), column * cell, row * cell, cell);
    if (isInside(scene, [row, column])) continue;
    context.fillStyle = color("--outside"); // fade the walls around a smaller map
    context.fillRect(column * cell, row * cell, cell, cell);
  }
}

/** Attention as opacity; the square root keeps a tenth visible. */
export function veil({ context, cell, accent }, shares) {
  context.fillStyle = accent;
  shares.forEach((share, index) => {
    context.globalAlpha = DENSEST * Math.sqrt(Math.min(Math.max(share, 0), 1));
    context.fillRect((index % SIDE) * cell, Math.floor(index / SIDE) * cell, cell, cell);
  });
  context.globalAlpha = 1;
}

/** Objects again, above the attention: red objects stay red. */
export function things({ context, cell, tiles: pictures }, scene) {
  for (const [row, column] of objects(scene)) {
    pictures.drawAlone(context, tileAt(scene, [row, column]), column * cell, row * cell, cell);
  }
}

export function trail({ context, cell, accent }, way) {
  context.beginPath();
  way.forEach(([row, column]) => context.lineTo((column + 0.5) * cell, (row + 0.5) * cell));
  Object.assign(context, { lineWidth: cell * 0.07, lineCap: "round", lineJoin: "round", strokeStyle: accent });
  context.setLineDash([0.01, cell * 0.2]);
  context.stroke();
  context.setLineDash([]);
}

/** The target; with a tick once the agent is there. */
export function target(brush, [row, column], reached) {
  ring(brush, [row, column], WHITE, 0.085);
  ring(brush, [row, column], reached ? RIGHT : INK, 0.04);
  if (!reached) return;
  const { context, cell } = brush;
  Object.assign(context, { fillStyle: RIGHT, strokeStyle: WHITE, lineWidth: cell * 0.045, lineCap: "round" });
  context.beginPath();
  context.arc((column + 0.86) * cell, (row + 0.14) * cell, cell * 0.17, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  context.beginPath();
  TICK.forEach(([x, y]) => context.lineTo((column + x) * cell, (row + y) * cell));
  context.stroke();
}

export function agent({ context, cell, tiles: pictures }, [row, column]) {
  pictures.drawAlone(context, AGENT, column * cell, row * cell, cell);
}

/** Arrows around the agent; their size is the probability of the step. */
export function policy({ context, cell, accent }, shares, [row, column]) {
  Object.assign(context, { fillStyle: accent, strokeStyle: WHITE, lineWidth: cell * 0.05, lineJoin: "round" });
  shares.forEach((share, index) => {
    if (share < LEAST) return;
    const [down, right] = DIRECTIONS[index];
    const size = cell * (0.07 + 0.17 * Math.sqrt(share));
    context.save();
    context.translate((column + 0.5 + 0.62 * right) * cell, (row + 0.5 + 0.62 * down) * cell);
    context.rotate(Math.atan2(down, right));
    context.beginPath();
    ARROW.forEach(([x, y]) => context.lineTo(x * size, y * size));
    context.closePath();
    context.stroke();
    context.fill();
    context.restore();
  });
}

/** The answer in a bubble above or below the agent, where it hides less attention. */
export function answer({ context, cell, accent }, word, [row, column], shares) {
  context.font = `600 ${Math.round(cell * 0.36)}px ${getComputedStyle(document.body).getPropertyValue("--serif")}`;
  const [width, height] = [context.measureText(word).width + 0.5 * cell, 0.6 * cell];
  const middle = (column + 0.5) * cell;
  const left = Math.min(Math.max(middle - width / 2, 0), SIDE * cell - width);
  const below = hidden(shares, row - 1, left / cell, width / cell) > hidden(shares, row + 1, left / cell, width / cell);
  const top = below ? (row + 1.14) * cell : (row - 0.14) * cell - height;
  const [base, tip] = below ? [top + 1, top - 0.16 * cell] : [top + height - 1, top + height + 0.16 * cell];
  const bubble = new Path2D(`M${middle - 0.12 * cell} ${base}L${middle} ${tip}L${middle + 0.12 * cell} ${base}Z`);
  bubble.roundRect(left, top, width, height, 0.18 * cell);
  Object.assign(context, { fillStyle: accent, strokeStyle: WHITE, lineWidth: cell * 0.08, lineJoin: "round" });
  context.stroke(bubble);
  context.fill(bubble);
  Object.assign(context, { fillStyle: WHITE, textAlign: "center", textBaseline: "middle" });
  context.fillText(word, left + width / 2, top + height * 0.53);
}

/** How much attention a bubble in a row would hide; outside the map there is no room for one. */
function hidden(shares, row, left, width) {
  if (row < 0 || row >= SIDE) return Infinity;
  const covered = cells.filter(([r, column]) => r === row && column + 1 > left && column < left + width);
  return covered.reduce((sum, [r, column]) => sum + shares[r * SIDE + column], 0);
}

export function cursor(brush, cell) {
  ring(brush, cell, WHITE, 0.09);
  ring(brush, cell, "#7a1fa2", 0.05);
}

function ring({ context, cell }, [row, column], ink, width) {
  Object.assign(context, { strokeStyle: ink, lineWidth: width * cell });
  context.beginPath();
  context.roundRect((column + 0.03) * cell, (row + 0.03) * cell, 0.94 * cell, 0.94 * cell, 0.08 * cell);
  context.stroke();
}
