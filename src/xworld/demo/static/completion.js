// Completion of the word at the caret from the vocabulary. An ARIA combobox.
import { element } from "./dom.js";

const MOST = 7;

/** The word that ends at the caret. */
export function wordAt(text, caret) {
  const start = text.slice(0, caret).search(/[^\s.?]*$/);
  return { start, typed: text.slice(start, caret) };
}

/** The words that begin with what was typed; those on the map come first. */
export function matches(typed, words) {
  const wanted = typed.toLowerCase();
  if (!wanted) return [];
  const begins = words.filter(({ word }) => word.startsWith(wanted));
  if (begins.some(({ word }) => word === wanted) && begins.length === 1) return [];
  return begins.sort((a, b) => Number(b.here) - Number(a.here) || a.word.length - b.word.length).slice(0, MOST);
}

export class Completion {
  #options = [];
  #chosen = -1;

  /** `words()` lists {word, kind, here, unheard, picture()}. */
  constructor(input, list, words) {
    Object.assign(this, { input, list, words });
    input.addEventListener("input", () => this.#open());
    input.addEventListener("keydown", (event) => this.#key(event));
    input.addEventListener("blur", () => this.close());
  }

  get isOpen() {
    return !this.list.hidden;
  }

  close() {
    this.list.hidden = true;
    this.#choose(-1);
    this.input.setAttribute("aria-expanded", "false");
  }

  #open() {
    const { typed } = wordAt(this.input.value, this.input.selectionStart);
    this.#options = matches(typed, this.words());
    this.list.replaceChildren(...this.#options.map((option, index) => this.#row(option, index)));
    this.list.hidden = this.#options.length === 0;
    this.input.setAttribute("aria-expanded", String(this.isOpen));
    this.#choose(-1);
  }

  #row({ word, kind, unheard, picture }, index) {
    // A press would take the focus from the input before the click comes.
    const press = (event) => {
      event.preventDefault();
      this.#accept(index);
    };
    const tag = unheard ? "never heard in a command" : kind;
    return element("li", { id: `completion-${index}`, role: "option", "aria-selected": "false", onpointerdown: press },
      picture(),
      element("span", { class: unheard ? "unheard" : "" }, word), element("small", {}, tag));
  }

  #choose(index) {
    this.#chosen = index;
    [...this.list.children].forEach((row, each) => row.setAttribute("aria-selected", String(each === index)));
    if (index < 0) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", `completion-${index}`);
    this.list.children[index]?.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    if (!this.isOpen) return;
    const count = this.#options.length;
    const moves = { ArrowDown: (this.#chosen + 1) % count, ArrowUp: (this.#chosen - 1 + count) % count };
    if (event.key in moves) this.#choose(this.#chosen < 0 && event.key === "ArrowUp" ? count - 1 : moves[event.key]);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab" && !event.shiftKey) this.#accept(Math.max(this.#chosen, 0));
    else if (event.key === "Enter" && this.#chosen >= 0) this.#accept(this.#chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #accept(index) {
    const { input } = this;
    const caret = input.selectionStart;
    const { start } = wordAt(input.value, caret);
    const rest = input.value.slice(caret);
    const word = this.#options[index].word;
    const written = start === 0 ? word[0].toUpperCase() + word.slice(1) : word;
    const gap = /^[\s.?]/.test(rest) ? "" : " ";
    input.value = input.value.slice(0, start) + written + gap + rest;
    input.setSelectionRange(start + written.length + gap.length, start + written.length + gap.length);
    input.focus();
    this.close();
  }
}
