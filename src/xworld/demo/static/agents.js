// The agents to talk to: those that the server started with, and those that were taught a word here.
import { byId, element } from "./dom.js";
import { onTheFloor } from "./picture.js";
import { FIRST_OBJECT, FLOOR, objects, tileAt, withTile } from "./scene.js";

export class Agents {
  constructor(session, tiles, about) {
    Object.assign(this, { session, tiles, select: byId("agent") });
    this.firstTaught = FIRST_OBJECT + about.tiles.filter(({ id }) => id >= FIRST_OBJECT).length;
    this.all = new Map(about.agents.map((agent) => [agent.key, withLessons(agent, about.agents)]));
    this.select.addEventListener("change", () => this.change(this.select.value));
    this.#list();
  }

  get first() {
    return this.all.keys().next().value;
  }

  get heldOut() {
    return this.all.get(this.session.agent)?.held_out ?? [];
  }

  /** Whether the list has an agent that was taught exactly these words. */
  has(key, lessons = []) {
    const words = (list) => list.map(({ word }) => word).join();
    return this.all.has(key) && words(this.all.get(key).lessons) === words(lessons);
  }

  /** Add an agent that was taught words; everything else is as for the agent that it was before. */
  addTaught(key, title, lessons, note = "") {
    const base = this.all.get(lessons[0].agent) ?? this.all.get(this.first);
    const words = lessons.map(({ word }) => word);
    const fullNote = note || `${base.note} Then taught: ${words.join(", ")}.`;
    this.all.set(key, { key, title, note: fullNote, held_out: [...base.held_out, ...words], lessons });
    this.#list();
  }

  /** Switch to an agent, with the pictures that it was taught. */
  async choose(key) {
    const agent = this.all.get(key);
    this.tiles.forget();
    for (const [index, { word, color, picture }] of agent.lessons.entries()) {
      await this.tiles.teach(this.firstTaught + index, word, color, await onTheFloor(picture, this.tiles, FLOOR));
    }
    this.select.value = key;
    byId("agent-note").textContent = this.select.title = agent.note;
    this.session.setAgent(key, agent.lessons);
  }

  /** Switch on the current map; objects that the agent has never seen leave it. */
  async change(key) {
    const before = new Map(this.tiles.taught);
    await this.choose(key);
    const isOther = (id) => before.has(id) && before.get(id).source !== this.tiles.taught.get(id)?.source;
    await this.session.setScene(this.withoutUnknown(this.session.current, isOther));
  }

  /** A map without objects that the agent has no picture of, or another picture. */
  withoutUnknown(scene, isOther = () => false) {
    const isUnknown = (id) => !this.tiles.kinds.has(id) || isOther(id);
    return objects(scene).filter((cell) => isUnknown(tileAt(scene, cell)))
      .reduce((map, cell) => withTile(map, cell, FLOOR), scene);
  }

  #list() {
    const chosen = this.select.value;
    this.select.replaceChildren(...[...this.all.values()].map(({ key, title }) => element("option", { value: key }, title)));
    if (chosen) this.select.value = chosen;
  }
}

/** An agent that the server started with; its lessons name an untaught agent of the same condition, for links. */
function withLessons(agent, agents) {
  const untaught = agents.find(({ taught, condition }) => !taught.length && condition === agent.condition) ?? agents[0];
  const lessons = agent.taught.map((thing) => ({ ...thing, agent: untaught.key }));
  return { ...agent, lessons, held_out: [...agent.held_out, ...lessons.map(({ word }) => word)] };
}
