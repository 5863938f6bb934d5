// Drawing a new object: the sheet, tools, colors, drawings to start from, and pictures from files.
import { element, sharpen } from "./dom.js";
import { Drawing, PIXELS } from "./drawing.js";
import { readFile } from "./picture.js";
import { COLORS, STARTERS } from "./starters.js";

const TOOLS = [["draw", "Draw"], ["fill", "Fill"], ["erase", "Erase"]];
const SHEET = 264;
const THUMB = 36;

export class Studio {
  #png = null; // a file's picture, until somebody draws over it

  /** Calls `named(word)` with a starter's name, and `complain(message)` for files that are no pictures. */
  constructor(named, complain) {
    Object.assign(this, { named, complain });
    this.drawing = new Drawing(SHEET, () => (this.#png = null));
    this.sheet = element("div", { class: "sheet-side" }, this.drawing.canvas, this.#starters());
    this.kit = [this.#tools(), this.#inks(), this.#actions()];
    this.drawing.load(STARTERS[0].pixels);
  }

  get isEmpty() {
    return this.drawing.isEmpty;
  }

  /** In the format of the server. */
  get picture() {
    return this.#png ? { png: this.#png } : { pixels: [...this.drawing.pixels] };
  }

  clear() {
    this.drawing.clear();
  }

  #starters() {
    const start = ({ name, pixels }) => {
      this.drawing.load(pixels);
      this.named(name);
    };
    return element("div", { class: "starters", role: "group", "aria-label": "Drawings to start from" },
      element("span", { class: "quiet" }, "Start from"),
      ...STARTERS.map((starter) => {
        const attributes = { type: "button", title: starter.name, "aria-label": starter.name, onclick: () => start(starter) };
        return element("button", attributes, thumb(starter.pixels));
      }));
  }

  #tools() {
    const tools = TOOLS.map(([id, name]) => ({ id, name, content: name }));
    this.tools = choices("segments", "Tool", tools, this.drawing.tool, (id) => (this.drawing.tool = id));
    return this.tools;
  }

  #inks() {
    const inks = Object.values(COLORS).map(([hex, name]) => ({ id: hex, name, content: "", "--ink-color": hex }));
    return choices("inks", "Color", inks, this.drawing.ink, (hex) => {
      this.drawing.ink = hex;
      if (this.drawing.tool === "erase") this.tools.firstChild.click();
    });
  }

  #actions() {
    const act = (name, run) => element("button", { type: "button", class: "plain", onclick: run }, name);
    const mirror = element("input", { type: "checkbox" });
    mirror.addEventListener("change", () => (this.drawing.mirrored = mirror.checked));
    const file = element("input", { type: "file", accept: "image/*", class: "sr", id: "teach-file" });
    file.addEventListener("change", () => this.#open(file));
    return element("div", { class: "actions" }, act("Undo", () => this.drawing.undo()), act("Clear", () => this.clear()),
      element("label", { class: "mirror" }, mirror, " Mirror"),
      element("span", { class: "upload" }, file, element("label", { for: "teach-file", class: "plain" }, "Upload …")));
  }

  async #open(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      const { png, pixels } = await readFile(file);
      this.drawing.load(pixels); // as the agent will see it
      this.#png = png;
      this.complain("");
    } catch {
      this.complain("This file is not a picture that the browser can read.");
    }
  }
}

function thumb(pixels) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  const context = sharpen(canvas, THUMB, THUMB);
  const cell = THUMB / PIXELS;
  pixels.forEach((pixel, index) => {
    if (!pixel) return;
    context.fillStyle = pixel;
    context.fillRect((index % PIXELS) * cell, Math.floor(index / PIXELS) * cell, cell, cell);
  });
  return canvas;
}

/** Buttons of which exactly one is pressed. */
function choices(look, label, options, chosen, choose) {
  const group = element("div", { class: look, role: "group", "aria-label": label });
  group.append(...options.map(({ id, name, content, ...more }) => {
    const press = ({ currentTarget }) => {
      choose(id);
      for (const other of group.children) other.setAttribute("aria-pressed", String(other === currentTarget));
    };
    const pressed = String(id === chosen);
    const attributes = { type: "button", "aria-label": name, title: name, "aria-pressed": pressed, onclick: press };
    return element("button", { ...attributes, ...more }, content);
  }));
  return group;
}
