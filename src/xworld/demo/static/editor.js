// Changing the map: pick something and click cells; or move over the map with the arrow keys and press enter.
import { byId, element } from "./dom.js";
import { AGENT, FIRST_OBJECT, FLOOR, isInside, objects, same, SIDE, tileAt, WALL, withAgent, withTile } from "./scene.js";

const TOOLS = [
  [FLOOR, "Floor", "clears a cell"],
  [WALL, "Wall", ""],
  [AGENT, "Agent", "moves it"],
];
const HINT =
  "Pick something and click on the map. " +
  "With the keyboard: move over the map with the arrow keys, put with enter, clear with delete.";
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Editor {
  tool = WALL;
  active = false;

  /** `complain` is called if something cannot be placed; `heldOut()` lists the words to mark; `form` makes new maps. */
  constructor(session, tiles, map, { limits, complain, heldOut, form }) {
    Object.assign(this, { session, tiles, map, limits, complain, heldOut });
    this.search = element("input", {
      type: "search", placeholder: "Find one of the objects", "aria-label": "Find an object", oninput: () => this.#fill(),
    });
    this.tools = element("div", { class: "tools", role: "group", "aria-label": "What to put" });
    this.palette = element("div", { class: "palette", role: "group", "aria-label": "Objects" });
    byId("edit").append(
      element("p", { class: "quiet" }, HINT),
      this.tools, this.search, this.palette, form,
    );
    session.addEventListener("agent", () => this.#fill());
    this.#listen(map.canvas);
  }

  /** Whether clicks change the map. */
  setActive(active) {
    this.active = active;
    this.map.canvas.parentElement.classList.toggle("editing", active);
    if (active) this.#fill();
  }

  /** Place the picked tile on a cell. */
  put(cell, tool = this.tool) {
    const { current } = this.session;
    const wrong = this.#problem(current, cell, tool);
    if (wrong) return this.complain({ message: wrong });
    const changed = tool === AGENT ? withAgent(current, cell) : withTile(current, cell, tool);
    this.session.setScene(changed);
    this.#tell(cell);
  }

  #problem(scene, cell, tool) {
    if (!isInside(scene, cell)) return `This map is ${scene.size} × ${scene.size}; around it there is only wall.`;
    if (tool === AGENT && tileAt(scene, cell) === WALL) return "The agent cannot stand in a wall. Put floor there first.";
    if (tool === WALL && same(cell, scene.at)) return "The agent stands there. Move it first.";
    const { objects: most } = this.limits;
    const more = tool >= FIRST_OBJECT && tileAt(scene, cell) < FIRST_OBJECT;
    return more && objects(scene).length >= most ? `A map holds at most ${most} objects. Clear one first.` : null;
  }

  #listen(canvas) {
    canvas.addEventListener("click", (event) => {
      const cell = this.map.cellAt(event.clientX, event.clientY);
      if (cell && this.active) this.put(cell);
    });
    canvas.addEventListener("pointermove", (event) => this.#point(this.map.cellAt(event.clientX, event.clientY), this.active));
    canvas.addEventListener("pointerleave", () => this.#point(null, true));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("blur", () => this.#point(null, true));
  }

  #key(event) {
    const cell = this.map.cursor ?? this.session.current?.at;
    if (!cell) return;
    if (event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      const kept = (index) => Math.min(Math.max(index, 0), SIDE - 1);
      this.#point(this.map.cursor ? [kept(cell[0] + down), kept(cell[1] + right)] : cell, true);
    } else if (this.active && (event.key === "Enter" || event.key === " ")) this.put(cell);
    else if (this.active && (event.key === "Delete" || event.key === "Backspace")) this.put(cell, FLOOR);
    else return;
    event.preventDefault();
  }

  /** Describe a cell, and mark it if it can be changed. */
  #point(cell, mark) {
    const scene = this.session.current;
    if (mark) {
      this.map.cursor = cell;
      this.map.redraw();
    }
    if (!cell || !scene) return byId("cell").replaceChildren();
    this.#tell(cell);
  }

  #tell(cell) {
    const scene = this.session.current;
    const name = same(cell, scene.at) ? "the agent" : isInside(scene, cell) ? this.tiles.name(tileAt(scene, cell)) : "outside";
    byId("cell").textContent = `Row ${cell[0] + 1}, column ${cell[1] + 1}: ${name}`;
  }

  #fill() {
    this.tools.replaceChildren(...TOOLS.map(([id, name, hint]) => this.#button(id, name, hint)));
    const wanted = this.search.value.trim().toLowerCase();
    const found = this.tiles.objects.filter(({ name }) => name.includes(wanted));
    const held = this.heldOut();
    this.palette.replaceChildren(...found.map(({ id, name, class: kind }) =>
      this.#button(id, null, `${name}${held.includes(kind) ? ", never heard in a command" : ""}`, held.includes(kind))));
    if (found.length) return;
    this.palette.append(element("p", { class: "quiet" }, `Nothing here is called “${wanted}”. You can teach it.`));
  }

  #button(id, name, hint, held = false) {
    const pick = () => {
      this.tool = id;
      const all = byId("edit").querySelectorAll("[aria-pressed]");
      for (const other of all) other.setAttribute("aria-pressed", String(other === button));
    };
    const button = element("button", {
      type: "button", class: `pick${held ? " held" : ""}`, title: name ? null : hint, "aria-label": name ? null : hint,
      "aria-pressed": String(id === this.tool), onclick: pick,
    }, this.tiles.icon(id), name ? element("span", {}, name, hint ? element("small", {}, ` ${hint}`) : "") : "");
    return button;
  }
}
