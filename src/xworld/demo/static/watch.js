// What the network does, for people: the outcome, then how it reads the sentence, then what it sees and prefers.
import { byId, element, percent, signed } from "./dom.js";
import { smallMap } from "./minimap.js";
import { cells, FLOOR, onTheMap, tileAt } from "./scene.js";
import { allMaps, readings, unheardIn } from "./strips.js";

const ARROWS = ["↑", "↓", "←", "→"];
const PARTS = ["verdict", "numbers", "answer", "note", "program", "senses"];
const HINT = "Say something above or pick an example; here you see how the agent understands it.";
const READING = "The stronger its color, the more a word counts; the map shows where it attends after each reading.";

export class Watch {
  constructor(session, tiles, about) {
    Object.assign(this, { session, tiles, actions: about.actions });
    this.parts = Object.fromEntries(PARTS.map((name) => [name, element("div", { class: name })]));
    this.parts.verdict.setAttribute("aria-live", "polite");
    this.maps = element("div");
    this.fold = element("details", { class: "fold", ontoggle: () => this.#showMaps() },
      element("summary", {}, "All nine maps: found, moved, kept"), this.maps);
    const { verdict, numbers, answer, note, program, senses } = this.parts;
    byId("watch").append(element("div", { class: "outcome" }, verdict, numbers), answer, note, program, this.fold, senses);
    for (const event of ["frame", "scene", "running"]) session.addEventListener(event, () => this.show());
    document.addEventListener("theme", () => this.show());
  }

  show() {
    const { frame, over } = this.session;
    byId("watch").classList.toggle("empty", !frame);
    this.fold.hidden = !frame;
    if (!frame) {
      for (const part of Object.values(this.parts)) part.replaceChildren();
      this.parts.verdict.append(element("p", {}, HINT));
      return;
    }
    const asked = frame.thought.kind === "question";
    byId("watch").dataset.kind = document.body.dataset.kind = frame.thought.kind;
    this.parts.verdict.replaceChildren(asked ? spoken(frame.thought) : this.#verdict(frame, over));
    this.parts.answer.replaceChildren(...(asked ? this.#answer(frame.thought) : []));
    this.parts.numbers.replaceChildren(...(asked ? [] : numbers(frame)));
    this.parts.note.replaceChildren(...notes(frame.thought));
    this.parts.program.replaceChildren(
      element("h3", {}, "How it reads the sentence"),
      element("p", { class: "quiet" }, READING),
      readings(this.#inside(frame)),
    );
    this.#showMaps();
    this.parts.senses.replaceChildren(this.#obstacles(frame), asked ? "" : this.#policy(frame));
  }

  #inside({ thought, seenAt }) {
    const tint = thought.kind === "question" ? "--question" : "--command";
    return { thought, scene: this.session.scene, at: seenAt, tiles: this.tiles, tint };
  }

  #showMaps() {
    const { frame } = this.session;
    if (frame && this.fold.open) this.maps.replaceChildren(allMaps(this.#inside(frame)));
  }

  #verdict({ reached, steps, target, bumped }, over) {
    const { limit, running } = this.session;
    const count = `${steps} ${steps === 1 ? "step" : "steps"}`;
    if (reached) return element("p", { class: "right" }, `It is there, in ${count}.`);
    if (over && this.session.circling) return element("p", { class: "wrong" }, "It goes in circles from here on.");
    if (over && target) return element("p", { class: "wrong" }, `Time is up after ${limit} steps; it did not arrive.`);
    if (over) return element("p", { class: "wrong" }, `It stops after ${limit} steps.`);
    if (bumped) return element("p", {}, "It ran into a wall.");
    if (running) return element("p", {}, "It is on its way …");
    return element("p", {}, steps ? "Paused." : "Ready. Press run to let it walk.");
  }

  #answer({ answers, answer }) {
    const [first, ...others] = answers;
    const agrees = answer && answer === first.word;
    const judged = answer ? (agrees ? "The teacher agrees." : `The teacher says: ${answer}.`) : "";
    return [
      element("h4", {}, "Its answer"),
      element("p", { class: "word-said", id: "answer" }, first.word),
      judged && element("p", { class: `judged ${agrees ? "right" : "wrong"}` }, judged),
      element("p", { class: "quiet" }, "The color on the map shows where it looked."),
      bars([first, ...others].map(({ word, share }) => [word, share]), "The likeliest words"),
    ].filter(Boolean);
  }

  #obstacles({ thought, seenAt }) {
    return smallMap({
      tiles: this.tiles, scene: this.session.scene, at: seenAt, tint: "--ink", side: 128,
      values: apartFromFloor(thought.environment, this.session.scene, seenAt),
      label: "What it sees as obstacles",
      caption: element("span", {},
        element("b", {}, "What it sees as obstacles."), " The more a cell stands out, the less it looks like free floor."),
    });
  }

  #policy({ thought, reached }) {
    const rows = thought.policy.map((share, index) => [`${ARROWS[index]} ${this.actions[index]}`, share]);
    const title = reached ? "Its last step" : "Its next step";
    return element("div", { class: "policy" }, bars(rows, title));
  }
}

/** How much each cell of the environment map differs from free floor, at most 1; its sign and scale mean nothing. */
function apartFromFloor(environment, scene, at) {
  const ground = cells.filter((cell) => tileAt(scene, cell) === FLOOR).map(onTheMap(environment, at));
  const usual = ground.reduce((sum, value) => sum + value, 0) / Math.max(ground.length, 1);
  const apart = environment.map((line) => line.map((value) => Math.abs(value - usual)));
  const most = Math.max(...cells.map(onTheMap(apart, at)), 1e-6);
  return apart.map((line) => line.map((value) => (value / most) ** 2));
}

function numbers({ steps, reward, thought, reached }) {
  const rows = [
    ["Steps", steps, "Steps since the command"],
    ["Reward so far", signed(reward), "−0.1 a step, −0.2 more at a wall, −1 on a wrong object, +1 at the target"],
    reached ? null : ["It expects", signed(thought.value), "The reward that the agent expects from here on"],
  ];
  return rows.filter(Boolean).map(([name, value, meaning]) =>
    element("dl", { title: meaning }, element("dt", {}, name), element("dd", {}, String(value))));
}

function notes({ kind, note, words, unheard = [] }) {
  const fresh = [...new Set(unheard.map((index) => words[index]))];
  const marked = fresh.flatMap((word, index) => [index ? ", " : "", element("span", { class: "unheard" }, word)]);
  const meaning = `: ${unheardIn(kind)} while this agent learned.`;
  return [
    fresh.length ? element("p", { class: "heldout" }, ...marked, meaning) : null,
    note ? element("p", { class: "aside" }, note) : null,
  ].filter(Boolean);
}

/** The answer for screen readers. */
const spoken = ({ answers }) => element("p", { class: "sr" }, `It answers: ${answers[0].word}.`);

/** Shares as bars with names and numbers. */
function bars(rows, title) {
  const lines = rows.map(([name, share]) =>
    element("li", { "--share": share },
      element("span", { class: "bar-name" }, name),
      element("span", { class: "bar", "aria-hidden": "true" }),
      element("span", { class: "bar-share" }, percent(share))));
  return element("div", { class: "bars" }, element("h4", {}, title), element("ul", {}, ...lines));
}
