// The input line, examples to pick, and what is wrong with a sentence.
import { byId, element } from "./dom.js";
import { Completion } from "./completion.js";
import { objects, tileAt } from "./scene.js";
import { unheardIn } from "./strips.js";

const SHOWN = 3; // examples of each kind
const ARROWS = {
  east: "→", west: "←", north: "↑", south: "↓", northeast: "↗", northwest: "↖", southeast: "↘", southwest: "↙",
};

/** A small icon for words that are not objects: an arrow, a color, or nothing. */
function sign(word, kind) {
  const look = kind === "color" ? "tile swatch" : "tile none";
  return element("span", { class: look, "data-color": word, "aria-hidden": "true" }, ARROWS[word] ?? "");
}

export class Say {
  #offset = 0;

  constructor(session, tiles, about, heldOut) {
    Object.assign(this, { session, tiles, about, heldOut, input: byId("sentence"), trouble: byId("trouble") });
    this.completion = new Completion(this.input, byId("completions"), () => this.#words());
    byId("say").addEventListener("submit", (event) => {
      event.preventDefault();
      this.completion.close();
      this.say(this.input.value);
    });
    byId("others").addEventListener("click", () => this.#showExamples(this.#offset + SHOWN));
    session.addEventListener("suggestions", () => this.#showExamples(0));
    session.addEventListener("scene", () => this.clear());
    session.addEventListener("frame", () => this.clear());
    session.addEventListener("trouble", ({ detail }) => this.complain(detail.trouble));
  }

  /** Say a sentence, whether typed or picked. */
  async say(sentence) {
    this.input.value = sentence;
    this.clear();
    byId("map").scrollIntoView({ block: "nearest", behavior: "smooth" });
    if (await this.session.say(sentence.trim())) this.clear();
  }

  clear() {
    this.trouble.replaceChildren();
    this.input.removeAttribute("aria-invalid");
  }

  /** Show what is wrong; a click on a suggested word corrects the sentence. */
  complain({ message, near = [], word = null }) {
    if (word) this.input.setAttribute("aria-invalid", "true");
    const fixes = near.map((other) =>
      element("button", { type: "button", class: "chip", onclick: () => this.#fix(word, other) }, other));
    const offer = word && fixes.length ? [element("p", { class: "fixes" }, ...fixes)] : [];
    this.trouble.replaceChildren(element("p", {}, message), ...offer);
  }

  #fix(word, other) {
    const wrong = new RegExp(`(^|[\\s])${word.replace(/[^\w]/g, "\\$&")}(?=$|[\\s.?])`, "i");
    this.input.value = this.input.value.replace(wrong, `$1${other}`);
    this.clear();
    this.input.focus();
    this.say(this.input.value);
  }

  #words() {
    const { words } = this.about;
    const held = this.heldOut();
    const here = new Map(objects(this.session.current).map((cell) => {
      const id = tileAt(this.session.current, cell);
      return [this.tiles.kinds.get(id)?.class, id];
    }));
    const taught = [...this.tiles.taught].map(([id, { word }]) => [word, "taught", id]);
    const known = [["objects", "object"], ["colors", "color"], ["directions", "direction"], ["others", ""]];
    const all = known.flatMap(([list, kind]) => words[list].map((word) => [word, kind, here.get(word) ?? this.#firstOf(word)]));
    return [...all, ...taught].filter(([word]) => /^[a-z]/.test(word)).map(([word, kind, id]) => ({
      word, kind: here.has(word) ? "on this map" : kind, here: here.has(word), unheard: held.includes(word),
      picture: () => (id ? this.tiles.icon(id) : sign(word, kind)),
    }));
  }

  #firstOf(word) {
    return this.tiles.objects.find((kind) => kind.class === word)?.id;
  }

  #showExamples(offset) {
    this.#offset = offset;
    for (const [kind, list] of [["command", "commands"], ["question", "questions"]]) {
      const fitting = this.session.suggestions.filter((each) => each.kind === kind);
      const from = fitting.length ? offset % fitting.length : 0;
      const shown = [...fitting.slice(from), ...fitting.slice(0, from)].slice(0, SHOWN);
      byId(list).replaceChildren(...shown.map((each) => element("li", {}, this.#example(each))));
      byId(`${list}-mark`).hidden = !shown.some(({ unheard }) => unheard);
      if (!shown.length) byId(list).append(element("li", { class: "quiet" }, "Nothing that the teacher would say here."));
    }
  }

  #example({ text, unheard, kind }) {
    const held = unheard ? this.heldOut() : [];
    const parts = text.split(/(\w+)/).map((part) =>
      held.includes(part.toLowerCase()) ? element("span", { class: "unheard", title: unheardIn(kind) }, part) : part);
    const pick = () => this.say(text);
    return element("button", { type: "button", class: `example ${kind}`, onclick: pick }, element("span", {}, ...parts));
  }
}
