// The three readings of a sentence: words shaded by attention, what the gate does, and the resulting map.
import { element, percent } from "./dom.js";
import { smallMap } from "./minimap.js";

const ALL = 0.9;
const NOTHING = 0.1; // gates above and below these count as open and closed

const ORDINALS = ["First", "Second", "Third"];
/** What a dotted line under a word means. */
export const unheardIn = (kind) => `never heard in a ${kind}`;

/** What a gate does, in plain words. */
export function sayGate(gate, step) {
  const before = step ? "what it had" : "its own place";
  if (gate > ALL) return "goes with the new place";
  if (gate < NOTHING) return `stays with ${before}`;
  return `mixes the new place with ${before}`;
}

/** How strongly a word is colored, in %. It skips the middle, where neither dark nor light letters are readable. */
const strength = (share) => (share < 0.35 ? 75 * Math.sqrt(share) : 85 + (15 * (share - 0.35)) / 0.65);

/** A sentence as a strip of words shaded by their weights. */
export function strip(words, weights, unheard, kind) {
  return element(
    "ol",
    { class: "strip" },
    ...words.map((word, index) => {
      const share = weights[index];
      const marks = `word${share >= 0.35 ? " strong" : ""}${unheard.includes(index) ? " unheard" : ""}`;
      const label = `${word}, ${percent(share)}${unheard.includes(index) ? `, ${unheardIn(kind)}` : ""}`;
      return element(
        "li",
        { class: marks, "--strength": `${strength(share)}%`, "aria-label": label, title: label },
        element("span", { class: "letters" }, word),
        element("span", { class: "share", "aria-hidden": "true" }, share >= 0.02 ? Math.round(100 * share) : " "),
      );
    }),
  );
}

/** All three readings, each with its map. */
export function readings({ thought, scene, at, tiles, tint }) {
  const map = (values, label, more = {}) => smallMap({ tiles, scene, at, values, tint, label, ...more });
  return element(
    "ol",
    { class: "readings" },
    ...thought.gates.map((gate, step) =>
      element(
        "li",
        { class: "reading" },
        element(
          "div",
          { class: "words" },
          element("h4", {}, `${ORDINALS[step]} reading`),
          strip(thought.words, thought.word_attention[step], thought.unheard ?? [], thought.kind),
          element("p", { class: "gate" }, `It ${sayGate(gate, step)}.`, element("small", {}, ` gate ${gate.toFixed(2)}`)),
        ),
        map(thought.kept[step], `Where it attends after the ${ORDINALS[step].toLowerCase()} reading`),
      ),
    ),
  );
}

/** The maps behind the readings: found, moved and kept, side by side. */
export function allMaps({ thought, scene, at, tiles, tint }) {
  const columns = [
    ["found", "found", "where the words point"],
    ["moved", "moved", "the last place, shifted by that"],
    ["kept", "kept", "what the gate lets stay"],
  ];
  return element(
    "div",
    { class: "all-maps" },
    ...thought.gates.flatMap((_, step) =>
      columns.map(([key, name, meaning]) =>
        smallMap({
          tiles, scene, at, tint, values: thought[key][step], side: 104,
          label: `${ORDINALS[step]} reading, ${name}: ${meaning}`,
          caption: element("span", {}, element("b", {}, `${step + 1} ${name}`), step === 0 ? ` ${meaning}` : ""),
        }),
      ),
    ),
  );
}
