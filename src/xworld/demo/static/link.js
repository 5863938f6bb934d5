// A link holds the agent, the map and the sentence after its #: whoever opens it sees the same.
// With a taught agent it also holds each word and its picture, so that the word can be taught again elsewhere.
import { read, write } from "./scene.js";

/** The part after the # for what is on the page. */
export function toFragment({ agent, scene, sentence, lessons = [] }) {
  const parts = new URLSearchParams({ agent, size: scene.size, at: scene.at.join("."), map: write(scene) });
  if (sentence) parts.set("say", sentence);
  for (const { word, color, picture } of lessons) {
    parts.append("word", [word, color ?? ""].join("."));
    parts.append("picture", picture.png ? `png.${picture.png}` : picture.pixels.map(short).join(""));
  }
  if (lessons.length) parts.set("from", lessons[0].agent);
  return `#${parts}`;
}

/** What a link describes, or null if it is invalid. */
export function fromFragment(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const scene = parts.get("map") && read(parts.get("map"), parts.get("size"), parts.get("at") ?? "");
  if (!scene) return null;
  const pictures = parts.getAll("picture");
  const lessons = parts.getAll("word").map((named, index) => {
    const [word, color] = named.split(".");
    return { word, color, picture: picture(pictures[index] ?? ""), agent: parts.get("from") };
  });
  return { agent: parts.get("agent"), scene, sentence: parts.get("say") ?? "", lessons };
}

const CLEAR = "......";
const short = (pixel) => (pixel ? pixel.slice(1) : CLEAR);

function picture(text) {
  if (text.startsWith("png.")) return { png: text.slice(4) };
  return { pixels: (text.match(/.{6}/g) ?? []).map((pixel) => (pixel === CLEAR ? "" : `#${pixel}`)) };
}
