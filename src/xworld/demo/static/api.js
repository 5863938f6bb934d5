// Everything that is asked of the server. It keeps nothing: every request carries its scene.

/** What went wrong, in the server's words for a person; `near` holds words that may have been meant. */
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
    const said = await reply.json().catch(() => ({}));
    throw new Trouble(said.error ?? `The server answered with ${reply.status}.`, { ...said, status: reply.status });
  }
  return reply;
}

const post = (path, body) =>
  request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

const asked = async (path, body) => (await post(path, body)).json();

export const about = async () => (await request("/about")).json();
export const newScene = (wishes) => asked("/scene", wishes);
export const suggest = (agent, scene) => asked("/suggest", { agent, scene });
/** `toldAt` is where the agent stood when it was told: what the teacher means does not change as it walks. */
export const understand = (agent, scene, sentence, toldAt = scene.at) =>
  asked("/understand", { agent, scene, sentence, told_at: toldAt });

/** What this page calls itself, so that the server can tell visitors who teach apart. It is kept nowhere. */
const visitor = [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join("");

/** Teach a word: news of the lesson as it comes; {taught} first without figures, then again as it is examined. */
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
      const { value, done } = await reader.read();
      if (done) break;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      yield* parts.filter((part) => part.trim());
    }
    if (rest.trim()) yield rest;
  } finally {
    reader.cancel(); // who has heard enough lets the server go
  }
}
