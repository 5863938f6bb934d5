// Scenes: 7 x 7 tile ids, the size of the map, and the agent's cell. They are never changed in place.

export const SIDE = 7;
export const VIEW = 13;
export const FLOOR = 1;
export const WALL = 2;
export const AGENT = 3;
export const FIRST_OBJECT = 4;

const CENTER = (VIEW - 1) / 2;

export const same = (cell, other) => Boolean(cell && other) && cell[0] === other[0] && cell[1] === other[1];

/** The first row and column of the map within the 7 x 7; an odd margin allows two, of which one fits. */
export function corner({ size, grid }) {
  const margin = SIDE - size;
  const first = Math.floor(margin / 2);
  const places = margin % 2 ? [first, first + 1] : [first];
  const fits = (top, left) =>
    grid.every((line, row) => line.every((tile, column) => tile === WALL || within([row, column], top, left, size)));
  for (const top of places) for (const left of places) if (fits(top, left)) return [top, left];
  return [first, first];
}

const within = ([row, column], top, left, size) =>
  row >= top && row < top + size && column >= left && column < left + size;

/** Whether a cell belongs to the map, and not to the walls around a smaller one. */
export const isInside = (scene, cell) => within(cell, ...corner(scene), scene.size);

export const tileAt = (scene, [row, column]) => scene.grid[row][column];

export const withTile = (scene, [row, column], tile) => ({
  ...scene,
  grid: scene.grid.map((line, r) => line.map((old, c) => (r === row && c === column ? tile : old))),
});

export const withAgent = (scene, at) => ({ ...scene, at });

export const cells = Array.from({ length: SIDE * SIDE }, (_, index) => [Math.floor(index / SIDE), index % SIDE]);

export const objects = (scene) => cells.filter((cell) => tileAt(scene, cell) >= FIRST_OBJECT);

const place = ([row, column]) => `row ${row + 1}, column ${column + 1}`;

/** A map in words, for screen readers; `name` names a tile. */
export function describe(scene, name) {
  const things = objects(scene).map((cell) => `${name(tileAt(scene, cell))} in ${place(cell)}`);
  const walls = cells.filter((cell) => tileAt(scene, cell) === WALL && isInside(scene, cell)).length;
  const list = [`the agent in ${place(scene.at)}`, ...things, `${walls} ${walls === 1 ? "wall" : "walls"}`];
  return `A map of ${scene.size} by ${scene.size}: ${list.join("; ")}.`;
}

/** The values of an egocentric map as a function of a cell of the scene. */
export const onTheMap = (values, at) => ([row, column]) => values[row - at[0] + CENTER]?.[column - at[1] + CENTER] ?? 0;

/** The map as text for a link: two characters per cell. */
export const write = (scene) => scene.grid.flat().map((tile) => tile.toString(36).padStart(2, "0")).join("");

/** A scene from such a text, or null if it is invalid. */
export function read(text, size, at) {
  const tiles = (text.match(/../g) ?? []).map((pair) => parseInt(pair, 36));
  const cell = at.split(".").map(Number);
  if (tiles.length !== SIDE * SIDE || tiles.some(Number.isNaN) || cell.length !== 2) return null;
  const grid = Array.from({ length: SIDE }, (_, row) => tiles.slice(row * SIDE, (row + 1) * SIDE));
  return { size: Number(size), grid, at: cell };
}
