import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { LRUCache } from 'lru-cache';
import { PbfReader } from 'pbf';

/** The zoom of the tiles with full coasts, and the units across one (`scripts/write-map.ts`). */
export const DETAIL_ZOOM = 7;
export const TILE_EXTENT = 8192;

const FOLDER = join(import.meta.dirname, '../../assets/map');
const EQUATOR_KM = 40_075.017;
const WORLD = 2 ** DETAIL_ZOOM * TILE_EXTENT;

/** Further from the sea, a distance is left out. Further out at sea, the position must be wrong. */
const MAX_KM = 50;
const MAX_KM_AT_SEA = 0.5;

/** A point in units of the tiles, from the world's north-west. */
type Point = readonly [x: number, y: number];

/** A run of a coast: its lines, and the box around them. */
interface Run {
  lines: readonly (readonly [from: Place, to: Place])[];
  west: number;
  east: number;
  north: number;
  south: number;
}

interface Place {
  x: number;
  y: number;
}

const MAX_LINES = 64;

const tiles = new LRUCache<string, readonly Run[]>({ max: 64 });
const distances = new LRUCache<string, { km: number | null }>({ max: 20_000 });

/**
 * The straight distance to the sea in kilometres, to the nearest 0.1, from coasts of 250 m resolution. Null: unknown,
 * far inland, or out at sea.
 */
export function seaDistanceKm(latitude: number, longitude: number): number | null {
  const key = `${latitude},${longitude}`;
  const known = distances.get(key);
  if (known !== undefined) return known.km;
  const km = measured(latitude, longitude);
  distances.set(key, { km });
  return km;
}

function measured(latitude: number, longitude: number): number | null {
  const kmPerUnit = (EQUATOR_KM / WORLD) * Math.cos((latitude * Math.PI) / 180);
  const at = project(latitude, longitude);
  const tile: Point = [Math.floor(at[0] / TILE_EXTENT), Math.floor(at[1] / TILE_EXTENT)];
  const here = coastOf(tile);
  if (here === null) return null;
  let nearest = MAX_KM / kmPerUnit;
  // The tile itself comes first: the others are read only if their coast can be nearer.
  for (const [across, down] of AROUND) {
    const other: Point = [tile[0] + across, tile[1] + down];
    const bounds = { west: 0, east: TILE_EXTENT, north: 0, south: TILE_EXTENT };
    if (gapTo(bounds, within(at, other)) < nearest)
      nearest = nearestCoast(coastOf(other) ?? [], within(at, other), nearest);
  }
  const km = nearest * kmPerUnit;
  if (isOnLand(here, within(at, tile))) return km < MAX_KM ? Math.round(km * 10) / 10 : null;
  return km <= MAX_KM_AT_SEA ? 0 : null;
}

const AROUND = [0, -1, 1].flatMap((down) => [0, -1, 1].map((across) => [across, down] as const));

/** Web Mercator. */
function project(latitude: number, longitude: number): Point {
  const height = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  return [((longitude + 180) / 360) * WORLD, ((1 - height) / 2) * WORLD];
}

function within([x, y]: Point, tile: Point): Point {
  return [x - tile[0] * TILE_EXTENT, y - tile[1] * TILE_EXTENT];
}

function coastOf([x, y]: Point): readonly Run[] | null {
  const file = join(FOLDER, `${DETAIL_ZOOM}-${x}-${y}.pbf`);
  const read = tiles.get(file);
  if (read !== undefined) return read;
  if (!existsSync(file)) return null;
  const land = new VectorTile(new PbfReader(readFileSync(file))).layers.land;
  const runs = Array.from({ length: land?.length ?? 0 }, (_, nth) => land?.feature(nth).loadGeometry() ?? [])
    .flat()
    .flatMap(runsOf);
  tiles.set(file, runs);
  return runs;
}

function runsOf(ring: readonly Place[]): Run[] {
  const count = Math.ceil((ring.length - 1) / MAX_LINES);
  return Array.from({ length: count }, (_, nth) => {
    const points = ring.slice(nth * MAX_LINES, (nth + 1) * MAX_LINES + 1);
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    return {
      lines: points.slice(1).map((to, at) => [points[at] ?? to, to]),
      west: Math.min(...xs),
      east: Math.max(...xs),
      north: Math.min(...ys),
      south: Math.max(...ys),
    };
  });
}

/** How far a point is from a box, in units. */
function gapTo({ west, east, north, south }: Omit<Run, 'lines'>, [x, y]: Point): number {
  return Math.hypot(Math.max(0, west - x, x - east), Math.max(0, north - y, y - south));
}

/** The distance to the nearest coast, or `least` if none is nearer. */
function nearestCoast(runs: readonly Run[], at: Point, least: number): number {
  let nearest = least;
  for (const run of runs) {
    if (gapTo(run, at) >= nearest) continue;
    for (const [from, to] of run.lines) {
      if (!isCut(from.x, to.x) && !isCut(from.y, to.y)) nearest = Math.min(nearest, gapToLine(from, to, at));
    }
  }
  return nearest;
}

function gapToLine(from: Place, to: Place, [x, y]: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
}

/** Whether a line runs along the edge at which its shape was cut. */
function isCut(one: number, other: number): boolean {
  return one === other && (one < 0 || one > TILE_EXTENT);
}

/** Whether an odd number of coasts lies west of a point. */
function isOnLand(runs: readonly Run[], [x, y]: Point): boolean {
  let isInside = false;
  for (const { lines, west, north, south } of runs) {
    if (west > x || north > y || south < y) continue;
    for (const [from, to] of lines) {
      if (from.y > y === to.y > y) continue;
      if (x > from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)) isInside = !isInside;
    }
  }
  return isInside;
}
