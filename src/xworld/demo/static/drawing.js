// A sheet of 12 x 12 pixels to draw on: with the pointer, or with the arrow keys and space.
import { color, element, sharpen } from "./dom.js";
import { COLORS } from "./starters.js";

export const PIXELS = 12;
const STEPS = { ArrowUp: -PIXELS, ArrowDown: PIXELS, ArrowLeft: -1, ArrowRight: 1 };
const empty = () => new Array(PIXELS * PIXELS).fill("");

export class Drawing {
  pixels = empty();
  ink = COLORS.K[0];
  tool = "draw";
  mirrored = false;
  #past = [];
  #cursor = null;
  #drawing = false;

  /** `changed` is called after every change. */
  constructor(side, changed) {
    Object.assign(this, { side, changed });
    this.canvas = element("canvas", { class: "sheet", tabindex: 0, role: "application", "aria-roledescription": "drawing",
      "aria-label": "Drawing of 12 by 12 pixels: arrow keys move, space draws" });
    this.canvas.style.width = this.canvas.style.height = `${side}px`;
    this.#listen();
    document.addEventListener("theme", () => this.paint());
    this.paint();
  }

  get isEmpty() {
    return this.pixels.every((pixel) => pixel === "");
  }

  /** Put a whole drawing on the sheet. */
  load(pixels) {
    this.#remember();
    this.pixels = [...pixels];
    this.#finish();
  }

  clear() {
    this.load(empty());
  }

  undo() {
    if (this.#past.length) this.pixels = this.#past.pop();
    this.#finish();
  }

  paint() {
    const context = sharpen(this.canvas, this.side, this.side);
    const cell = this.side / PIXELS;
    this.pixels.forEach((pixel, index) => {
      const [x, y] = [(index % PIXELS) * cell, Math.floor(index / PIXELS) * cell];
      context.fillStyle = pixel || "#ece8dc"; // the floor shows
      context.fillRect(x, y, cell, cell);
      if (pixel) return;
      context.fillStyle = "#d9d4c4";
      context.fillRect(x + cell / 2 - 1, y + cell / 2 - 1, 2, 2);
    });
    if (this.#cursor === null) return;
    Object.assign(context, { strokeStyle: color("--focus"), lineWidth: 2 });
    context.strokeRect((this.#cursor % PIXELS) * cell + 1, Math.floor(this.#cursor / PIXELS) * cell + 1, cell - 2, cell - 2);
  }

  #listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#remember();
      this.#drawing = true;
      this.#touch(this.#at(event));
      event.preventDefault();
    });
    canvas.addEventListener("pointermove", (event) => this.#drawing && this.tool !== "fill" && this.#touch(this.#at(event)));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (this.#drawing = false));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("blur", () => {
      this.#cursor = null;
      this.paint();
    });
  }

  #key(event) {
    if (event.key in STEPS) this.#move(STEPS[event.key]);
    else if (event.key === " " || event.key === "Enter") {
      this.#remember();
      this.#touch(this.#cursor ?? 0);
    } else if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.undo();
    else return;
    event.preventDefault();
  }

  #move(by) {
    const next = this.#cursor === null ? 0 : this.#cursor + by;
    const wraps = Math.abs(by) === 1 && Math.floor(next / PIXELS) !== Math.floor((this.#cursor ?? 0) / PIXELS);
    if (next >= 0 && next < this.pixels.length && !wraps) this.#cursor = next;
    this.paint();
  }

  #at(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((px) => Math.floor((px / box.width) * PIXELS));
    return x >= 0 && x < PIXELS && y >= 0 && y < PIXELS ? y * PIXELS + x : null;
  }

  #touch(index) {
    if (index === null) return;
    const value = this.tool === "erase" ? "" : this.ink;
    const mirror = index - (index % PIXELS) + (PIXELS - 1 - (index % PIXELS));
    for (const each of this.mirrored ? [index, mirror] : [index]) {
      if (this.tool === "fill") this.#fill(each, this.pixels[each], value);
      else this.pixels[each] = value;
    }
    this.#finish();
  }

  #fill(start, old, value) {
    if (old === value) return;
    const open = [start];
    while (open.length) {
      const index = open.pop();
      if (this.pixels[index] !== old) continue;
      this.pixels[index] = value;
      const column = index % PIXELS;
      if (column > 0) open.push(index - 1);
      if (column < PIXELS - 1) open.push(index + 1);
      open.push(...[index - PIXELS, index + PIXELS].filter((each) => each >= 0 && each < this.pixels.length));
    }
  }

  #remember() {
    this.#past = [...this.#past.slice(-40), [...this.pixels]];
  }

  #finish() {
    this.paint();
    this.changed();
  }
}
