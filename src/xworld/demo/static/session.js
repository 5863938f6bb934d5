// The state of the page: an agent, a map, a sentence, and the steps since it was said. Everything else follows it.
//
// Events: "agent", "scene" (the map changed), "frame" (another step is shown; detail.walked says whether the agent
// just took it), "suggestions", "running", "trouble" (detail: what went wrong).
import * as api from "./api.js";
import { same, withAgent } from "./scene.js";

export class Session extends EventTarget {
  agent = null;
  lessons = []; // what a taught agent was taught, for links
  scene = null; // as it was when the sentence was said
  sentence = "";
  frames = [];
  index = 0;
  running = false;
  suggestions = [];
  #turn = 0; // replies to requests from before the last change are dropped

  /** The world ends a session after `stepsPerRow` steps for each row of the map. */
  constructor(stepsPerRow) {
    super();
    this.stepsPerRow = stepsPerRow;
  }

  get frame() {
    return this.frames[this.index] ?? null;
  }

  /** The map with the agent where it stands now. */
  get current() {
    return this.frame ? withAgent(this.scene, this.frame.at) : this.scene;
  }

  get limit() {
    return this.stepsPerRow * this.scene.size;
  }

  /** Whether the step shown is the last: arrived, out of time, in a circle, or a question, which needs no step. */
  get over() {
    const frame = this.frame;
    const walks = frame && frame.thought.kind === "command";
    return !walks || frame.reached || frame.steps >= this.limit || this.circling;
  }

  /** The agent is deterministic: if it comes back to a cell twice, it will come back forever. */
  get circling() {
    return this.frames.slice(0, this.index).filter(({ at }) => same(at, this.frame.at)).length >= 2;
  }

  setAgent(agent, lessons = []) {
    Object.assign(this, { agent, lessons });
    this.#emit("agent");
  }

  /** Show another map; the agent reads the sentence again, if there is one. Unknown suggestions are requested. */
  async setScene(scene, { sentence = this.sentence, suggestions = null } = {}) {
    this.pause();
    Object.assign(this, { scene, sentence, frames: [], index: 0 });
    const turn = ++this.#turn;
    this.#emit("scene");
    await Promise.all([this.#suggest(turn, suggestions), sentence ? this.#begin(turn) : null]);
  }

  /** Say a sentence to the agent on its current cell. Resolves to whether it was understood. */
  async say(sentence, { run = true } = {}) {
    this.pause();
    const turn = ++this.#turn;
    Object.assign(this, { scene: this.current, sentence });
    const understood = await this.#begin(turn);
    if (understood && run && !this.over) this.run();
    return understood;
  }

  /** Walk until it is over or paused. */
  async run() {
    if (this.running || this.over) return;
    this.running = true;
    this.#emit("running");
    while (this.running && !this.over) await this.step();
    this.pause();
  }

  pause() {
    if (!this.running) return;
    this.running = false;
    this.#emit("running");
  }

  /** The milliseconds that a step should take; the player sets it. */
  pace = () => 400;

  /** One step forward: one that was taken before, or a new one. */
  async step() {
    const turn = this.#turn;
    if (!this.frame?.fresh) await this.#rethink(this.frame, turn); // the last request failed
    if (this.over || !this.frame.fresh) return this.pause();
    const next = this.frames[this.index + 1] ?? this.#next(this.frame);
    const rest = new Promise((resolve) => setTimeout(resolve, this.pace()));
    this.#show(this.index + 1, next, true);
    // The next thought is requested while the agent still moves.
    if (!next.fresh) await this.#rethink(next, turn);
    await rest;
  }

  goTo(index) {
    this.pause();
    if (this.frames[index]) this.#show(index, this.frames[index], false);
  }

  async #begin(turn) {
    const { scene, sentence } = this;
    const thought = await this.#ask(() => api.understand(this.agent, scene, sentence), turn);
    if (!thought) return false;
    const target = thought.target;
    this.frames = [];
    this.#show(0, { at: scene.at, thought, seenAt: scene.at, fresh: true, reward: 0, steps: 0, target }, false);
    return true;
  }

  /** The frame after a step; it shows the old thought until the new one arrives. */
  #next({ thought, seenAt, reward, steps, target }) {
    const { at, reward: earned, reached, bumped } = thought.outcomes[thought.choice];
    return {
      at, thought, seenAt, target, bumped, steps: steps + 1, reward: reward + earned,
      reached: reached || same(at, target),
      fresh: reached || same(at, target), // after arrival no further thought is needed
    };
  }

  async #rethink(frame, turn) {
    const scene = withAgent(this.scene, frame.at);
    const thought = await this.#ask(() => api.understand(this.agent, scene, this.sentence, this.scene.at), turn);
    if (!thought) return;
    Object.assign(frame, { thought, seenAt: frame.at, fresh: true });
    if (frame === this.frame) this.#emit("frame", { walked: true });
  }

  #show(index, frame, walked) {
    this.frames[index] = frame;
    this.index = index;
    this.#emit("frame", { walked });
  }

  async #suggest(turn, known) {
    const found = known ?? (await this.#ask(() => api.suggest(this.agent, this.scene), turn))?.suggestions;
    if (!found) return;
    this.suggestions = found;
    this.#emit("suggestions");
  }

  async #ask(question, turn) {
    try {
      const answer = await question();
      return turn === this.#turn ? answer : null;
    } catch (trouble) {
      if (!(trouble instanceof api.Trouble)) throw trouble;
      if (turn === this.#turn) {
        this.pause();
        this.#emit("trouble", { trouble });
      }
      return null;
    }
  }

  #emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
