// Which agent is spoken to: those that the server was started with, and those that were taught a word here.
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

  /** Whether an agent is listed that has learned just these words. */
  has(key, lessons = []) {
    const words = (list) => list.map(({ word }) => word).join();
    return this.all.has(key) && words(this.all.get(key).lessons) === words(lessons);
  }

  /** Add an agent that has learned words; its other properties are those of the one that it was. */
  addTaught(key, title, lessons, note = "") {
    const base = this.all.get(lessons[0].agent) ?? this.all.get(this.first);
    const words = lessons.map(({ word }) => word);
    const told = note || `${base.note} Then taught: ${words.join(", ")}.`;
    this.all.set(key, { key, title, note: told, held_out: [...base.held_out, ...words], lessons });
    this.#list();
  }

  /** Speak to an agent from now on; objects that it has never seen leave the map. */
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

  /** The same, by a person, with the map as it is. */
  async change(key) {
    const before = new Map(this.tiles.taught);
    await this.choose(key);
    const isOther = (id) => before.has(id) && before.get(id).source !== this.tiles.taught.get(id)?.source;
    await this.session.setScene(this.withoutStrangers(this.session.current, isOther));
  }

  /** A map without what the agent has no picture of, and without what looks otherwise to it. */
  withoutStrangers(scene, isOther = () => false) {
    const isStrange = (id) => !this.tiles.kinds.has(id) || isOther(id);
    return objects(scene).filter((cell) => isStrange(tileAt(scene, cell)))
      .reduce((map, cell) => withTile(map, cell, FLOOR), scene);
  }

  #list() {
    const chosen = this.select.value;
    this.select.replaceChildren(...[...this.all.values()].map(({ key, title }) => element("option", { value: key }, title)));
    if (chosen) this.select.value = chosen;
  }
}

/** An agent that the server was started with; what it was taught can be taught elsewhere to one that was trained alike. */
function withLessons(agent, agents) {
  const alike = agents.find(({ taught, condition }) => !taught.length && condition === agent.condition) ?? agents[0];
  const lessons = agent.taught.map((thing) => ({ ...thing, agent: alike.key }));
  return { ...agent, lessons, held_out: [...agent.held_out, ...lessons.map(({ word }) => word)] };
}
