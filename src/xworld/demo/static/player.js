// Run, pause, step, back, and how fast; and the large map that follows.
import { byId } from "./dom.js";
import { describe } from "./scene.js";

const STEP = 520; // milliseconds at normal speed
const WALK = 0.62; // the share of it in which the agent moves

export class Player {
  constructor(session, map) {
    Object.assign(this, { session, map, speed: byId("speed") });
    session.pace = () => STEP / Number(this.speed.value);
    byId("run").addEventListener("click", () => this.#toggle());
    byId("step").addEventListener("click", () => this.#step());
    byId("back").addEventListener("click", () => session.goTo(session.index - 1));
    byId("rewind").addEventListener("click", () => session.goTo(0));
    for (const event of ["scene", "frame", "running"]) session.addEventListener(event, ({ detail }) => this.#show(detail));
  }

  #toggle() {
    const { session } = this;
    if (session.running) return session.pause();
    if (session.over && session.frame) session.goTo(0); // once more from the start
    session.run();
  }

  #step() {
    this.session.pause();
    this.session.step();
  }

  #show({ walked = false }) {
    const { session, map } = this;
    const { frame } = session;
    const asked = frame?.thought.kind === "question";
    map.show({
      scene: session.scene,
      at: frame?.at ?? session.scene.at,
      attention: frame?.thought.attention,
      seenAt: frame?.seenAt,
      kind: frame?.thought.kind,
      target: asked ? null : frame?.target,
      policy: asked || session.over ? null : frame?.thought.policy,
      trail: asked ? [] : session.frames.slice(0, session.index + 1).map(({ at }) => at),
      reached: frame?.reached,
      answer: asked ? frame.thought.answers[0].word : null,
    }, walked ? WALK * session.pace() : 0);
    map.canvas.setAttribute("aria-label", describe(session.current, (tile) => map.tiles.name(tile)));
    this.#buttons(frame, asked);
  }

  #buttons(frame, asked) {
    const { session } = this;
    const walks = Boolean(frame) && !asked;
    byId("run").disabled = !walks;
    byId("step").disabled = !walks || session.over;
    byId("back").disabled = byId("rewind").disabled = !walks || session.index === 0;
    byId("run").classList.toggle("on", session.running);
    byId("run-name").textContent = session.running ? "Pause" : walks && session.over ? "Once more" : "Run";
  }
}
