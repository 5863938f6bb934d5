// The large map: its size, animation, and which cell is where. How it looks is in paint.js.
import { color, sharpen } from "./dom.js";
import * as paint from "./paint.js";
import { cells, onTheMap, SIDE } from "./scene.js";

const MARGIN = 0.36; // around the map, in cells: room for arrows at the border

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** An animation from some numbers to others. */
class Glide {
  constructor(from, to, duration) {
    Object.assign(this, { from, to, duration, start: performance.now() });
  }

  get share() {
    const share = this.duration ? Math.min((performance.now() - this.start) / this.duration, 1) : 1;
    return share * share * (3 - 2 * share);
  }

  get now() {
    const { from, to, share } = this;
    return to.map((value, index) => from[index] + share * (value - from[index]));
  }
}

export class MapView {
  cursor = null;
  #view = null;
  #at = null;
  #veil = null;
  #pending = 0;

  constructor(canvas, tiles) {
    Object.assign(this, { canvas, tiles });
    new ResizeObserver(() => this.#fit()).observe(canvas.parentElement);
    document.addEventListener("theme", () => this.redraw());
  }

  /** Show {scene, at, attention, seenAt, kind, target, policy, trail, reached, answer}; `duration` in milliseconds. */
  show(view, duration = 0) {
    const time = still.matches ? 0 : duration;
    const veil = cells.map(view.attention ? onTheMap(view.attention, view.seenAt) : () => 0);
    // A new thought during a step changes the attention, not the movement.
    if (!time || String(view.at) !== String(this.#at.to)) this.#at = new Glide(this.#at?.now ?? view.at, view.at, time);
    this.#veil = new Glide(this.#veil?.now ?? veil, veil, time);
    this.#view = view;
    this.redraw();
  }

  redraw() {
    if (this.#view && !this.#pending) this.#pending = requestAnimationFrame(() => this.#draw());
  }

  /** The cell at a place of the page, or null. */
  cellAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const place = [clientY - box.top, clientX - box.left].map((px) => Math.floor((px - this.margin) / this.cell));
    return place.every((index) => index >= 0 && index < SIDE) ? place : null;
  }

  #fit() {
    const side = this.canvas.parentElement.clientWidth;
    if (!side) return;
    // Cells begin on whole pixels of the screen, so that no seams show between them.
    const ratio = window.devicePixelRatio || 1;
    this.cell = Math.floor((side * ratio) / (SIDE + 2 * MARGIN)) / ratio;
    this.margin = Math.round(((side - SIDE * this.cell) / 2) * ratio) / ratio;
    this.context = sharpen(this.canvas, side, side);
    this.redraw();
  }

  #draw() {
    this.#pending = 0;
    if (!this.context) return;
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.context.save();
    this.context.translate(this.margin, this.margin);
    this.#drawAll();
    this.context.restore();
    if (this.#at.share < 1 || this.#veil.share < 1) this.redraw();
  }

  #drawAll() {
    const view = this.#view;
    const [at, veil] = [this.#at.now, this.#veil.now];
    const accent = color(view.kind === "question" ? "--question-deep" : "--command-deep");
    const brush = { context: this.context, cell: this.cell, tiles: this.tiles, accent };
    paint.tiles(brush, view.scene);
    paint.veil(brush, veil);
    if (view.trail.length > 1) paint.trail(brush, view.trail);
    if (view.target) paint.target(brush, view.target, view.reached);
    paint.things(brush, view.scene);
    paint.agent(brush, at);
    if (view.policy && this.#at.share === 1) paint.policy(brush, view.policy, at);
    if (view.answer) paint.answer(brush, view.answer, at, veil);
    if (this.cursor) paint.cursor(brush, this.cursor);
  }
}
