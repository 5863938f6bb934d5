// Puts the page together. All parts follow the session, and the address always describes what is shown.
import { Agents } from "./agents.js";
import * as api from "./api.js";
import { byId, element } from "./dom.js";
import { Editor } from "./editor.js";
import { fromFragment, toFragment } from "./link.js";
import { MapView } from "./mapview.js";
import { newMapForm } from "./newmap.js";
import { Player } from "./player.js";
import { Say } from "./say.js";
import { Session } from "./session.js";
import { Tabs } from "./tabs.js";
import { Teach } from "./teach.js";
import { Tiles } from "./tiles.js";
import { Watch } from "./watch.js";

const TRIES = 4; // commands to try with a new word
const ELSEWHERE = "This link comes from elsewhere, or from before the demo was last started.";
const ABSENT = "This link was made with an agent that is not here; another one is shown.";
const UNKNOWN = "Some things on its map are not known here; they were left out.";

class Page {
  constructor(about) {
    const tiles = (this.tiles = new Tiles(about));
    const session = (this.session = new Session(about.limits.steps_per_row));
    const agents = (this.agents = new Agents(session, tiles, about));
    const map = new MapView(byId("map"), tiles);
    this.newMap = newMapForm(about, () => this.makeMap());
    this.say = new Say(session, tiles, about, () => agents.heldOut);
    this.editor = new Editor(session, tiles, map, {
      limits: about.limits, form: this.newMap.form, heldOut: () => agents.heldOut,
      complain: (trouble) => this.say.complain(trouble),
    });
    this.tabs = new Tabs((name) => this.editor.setActive(name === "edit"));
    this.teach = new Teach(session, about, (...result) => this.#taught(...result));
    new Player(session, map);
    new Watch(session, tiles, about);
    byId("version").textContent = `xworld ${about.version}.`;
    this.#listen();
  }

  /** Show what the address says, or a first map. */
  async start() {
    await this.tiles.ready;
    const linked = fromFragment(location.hash);
    if (linked) await this.#restore(linked);
    else await this.#begin();
  }

  async #begin() {
    await this.agents.choose(this.agents.first);
    await this.makeMap();
  }

  /** A new map, with the teacher's command in the input line. */
  async makeMap(options = this.newMap.options()) {
    try {
      const made = await api.newScene({ agent: this.session.agent, ...options });
      byId("sentence").value = made.command.text;
      await this.session.setScene(made.scene, { sentence: made.command.text, suggestions: made.suggestions });
    } catch (trouble) {
      this.say.complain(trouble);
    }
  }

  /** Show what a link describes, as far as possible, and say what is missing. */
  async #restore(linked) {
    try {
      if (await this.#find(linked)) await this.#open(linked);
      else await this.#begin().then(() => this.#offerLessons(linked, ELSEWHERE));
    } catch (trouble) {
      if (!(trouble instanceof api.Trouble)) throw trouble;
      await this.#begin();
      this.say.complain(trouble);
    }
  }

  /** Whether the words of a link are known here: by an agent of the server, or by one that was taught and is kept. */
  async #find({ agent, scene, lessons }) {
    if (!lessons.length || this.agents.has(agent, lessons)) return true;
    const kept = !this.agents.all.has(agent) && (await api.suggest(agent, scene).then(() => true, () => false));
    const words = lessons.map(({ word }) => word).join(" + ");
    const title = `${this.agents.all.get(lessons[0].agent)?.title ?? "Taught"} + ${words}`;
    if (kept) this.agents.addTaught(agent, title, lessons);
    return kept;
  }

  async #open({ agent, scene, sentence }) {
    const isHere = this.agents.all.has(agent);
    await this.agents.choose(isHere ? agent : this.agents.first);
    const known = this.agents.withoutUnknown(scene);
    await this.#show({ scene: known, sentence });
    const missing = [agent && !isHere ? ABSENT : "", known === scene ? "" : UNKNOWN].join(" ").trim();
    if (missing) this.say.complain({ message: missing });
  }

  async #show({ scene, sentence }) {
    byId("sentence").value = sentence;
    await this.session.setScene(scene, { sentence });
  }

  /** Offer to teach the words of a link, which its map needs. */
  #offerLessons({ scene, sentence, lessons }, reason) {
    const words = lessons.map(({ word }) => `“${word}”`).join(" and ");
    const base = this.agents.all.has(lessons[0].agent) ? lessons[0].agent : this.agents.first;
    const again = () => {
      this.say.clear();
      this.tabs.show("teach");
      byId("tab-teach").scrollIntoView({ block: "center", behavior: "smooth" });
      this.teach.teach(lessons.map((lesson) => ({ ...lesson, agent: base })), [], { scene, sentence });
    };
    byId("trouble").replaceChildren(
      element("p", {}, `${reason} The agent has to learn ${words} here first; that takes a few seconds.`),
      element("p", { class: "fixes" }, element("button", { type: "button", class: "chip", onclick: again }, `Teach ${words}`)),
    );
  }

  /** A word was learned: switch to the agent that knows it, on a map with the object; returns buttons to try. */
  async #taught(lessons, { agent, title, note, word }, wanted) {
    this.agents.addTaught(agent, title, lessons, note);
    await this.agents.choose(agent);
    if (wanted) await this.#show(wanted);
    else await this.makeMap({ with_word: word });
    const names = ({ kind, text }) => kind === "command" && text.toLowerCase().includes(word);
    return this.session.suggestions.filter(names).slice(0, TRIES).map(({ text }) =>
      element("button", { type: "button", class: "example command", onclick: () => this.say.say(text) }, text));
  }

  #listen() {
    const { session } = this;
    byId("new-map").addEventListener("click", () => this.makeMap());
    byId("link").addEventListener("click", ({ target }) => this.#copyLink(target));
    session.addEventListener("trouble", ({ detail: { trouble } }) => {
      const { scene, sentence, lessons } = session;
      if (api.isForgotten(trouble) && lessons.length) this.#offerLessons({ scene, sentence, lessons }, trouble.message);
    });
    for (const event of ["scene", "frame"]) session.addEventListener(event, () => this.#address());
    window.addEventListener("hashchange", () => {
      const linked = fromFragment(location.hash);
      if (linked) this.#restore(linked);
    });
  }

  #address() {
    const { agent, scene, sentence, lessons } = this.session;
    history.replaceState(null, "", toFragment({ agent, scene, sentence, lessons }));
  }

  async #copyLink(button) {
    this.#address();
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy it from the address bar"; // the clipboard may be forbidden
    }
    setTimeout(() => (button.textContent = "Copy link"), 2500);
  }
}

api.about().then((about) => new Page(about).start()).catch((trouble) => {
  byId("trouble").replaceChildren(element("p", {}, trouble.message));
  throw trouble;
});
