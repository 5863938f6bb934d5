// All requests to the server. It keeps no state: every request carries its scene.

/** An error, as a sentence of the server for a person; `near` are words that may have been meant. */
export class Trouble extends Error {
  constructor(message, { near = [], word = null, status = 0 } = {}) {
    super(message);
    Object.assign(this, { near, word, status });
  }
}

/** Whether a taught agent has been forgotten. */
export const isForgotten = (trouble) => trouble.status === 410;

async function request(path, options) {
  let reply;
  try {
    reply = await fetch(path, options);
  } catch {
    throw new Trouble("The server does not answer. Is “xworld demo” still running?");
  }
  if (!reply.ok) {
    const answer = await reply.json().catch(() => ({}));
    const busy = reply.status === 503 && "Many people are here at the moment; please try again in a few seconds.";
    const message = answer.error ?? (busy || `The server answered with ${reply.status}.`);
    throw new Trouble(message, { ...answer, status: reply.status });
  }
  return reply;
}

const post = (path, body) =>
  request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

const postJson = async (path, body) => (await post(path, body)).json();

export const about = async () => (await request("/about")).json();
export const newScene = (options) => postJson("/scene", options);
export const suggest = (agent, scene) => postJson("/suggest", { agent, scene });
/** `toldAt` is the cell where the agent heard the command: the target does not change while it walks. */
export const understand = (agent, scene, sentence, toldAt = scene.at) =>
  postJson("/understand", { agent, scene, sentence, told_at: toldAt });

/** A random name by which the server tells visitors who teach apart. It is stored nowhere. */
const visitor = [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join("");

/** Teach a word: yields the lines of the report; {taught} first without test results, then with them. */
export async function* teach(lesson) {
  const reply = await post("/teach", { ...lesson, visitor });
  let news = null;
  for await (const line of lines(reply.body)) {
    news = JSON.parse(line);
    if (news.error) throw new Trouble(news.error);
    yield news;
  }
  if (!news?.taught) throw new Trouble("The lesson broke off. Please try again.");
}

async function* lines(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ done: true })); // the server has stopped
      if (done) break;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      yield* parts.filter((part) => part.trim());
    }
    if (rest.trim()) yield rest;
  } finally {
    reader.cancel().catch(() => {}); // ends the lesson on the server, if it is still there
  }
}
