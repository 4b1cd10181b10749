import { type MapPoint, project } from '../web/explore/map/projection.ts';

/** As in TopoJSON: borders are shared arcs, made of steps between points in units of `scale`. */
export interface Atlas {
  scale: readonly [longitude: number, latitude: number];
  translate: readonly [longitude: number, latitude: number];
  arcs: readonly (readonly Step[])[];
  countries: readonly { name: string; polygons: readonly Rings[] }[];
}

type Step = readonly [number, number];

/** Each ring is a chain of arcs. `~n` means arc n in reverse. */
type Rings = readonly (readonly number[])[];

/** A country on the map: its English name, and its outline as an SVG path. */
export type MapCountry = readonly [name: string, path: string];

/** The area shown in detail: Europe, the Mediterranean and the Canaries. */
const DETAILED = { west: -19, east: 43, south: 26, north: 51 };

/** A bend is straightened if its triangle is smaller than this, in square fiftieths of a degree. */
const MIN_BEND = { detailed: 8, coarse: 1800 };

/** An island smaller than this, in fiftieths of a degree, is left out. */
const MIN_EXTENT = { detailed: 4, coarse: 12 };

/** An island's arc has at least three corners, and its first point again at the end. */
const MIN_POINTS = 4;

/** Full names for Natural Earth's abbreviations, and common names where they differ. */
const NAMES: Readonly<Record<string, string>> = {
  'Bosnia and Herz.': 'Bosnia and Herzegovina',
  'Cabo Verde': 'Cape Verde',
  'Dominican Rep.': 'Dominican Republic',
  'United States of America': 'United States',
  'Antigua and Barb.': 'Antigua and Barbuda',
  'St. Kitts and Nevis': 'Saint Kitts and Nevis',
  'St. Vin. and Gren.': 'Saint Vincent and the Grenadines',
  'Turks and Caicos Is.': 'Turks and Caicos Islands',
  Macedonia: 'North Macedonia',
};

/** The simplified countries by name. Neighbours share simplified borders, so there are no gaps. */
export function mapCountries(atlas: Atlas): MapCountry[] {
  const arcs = atlas.arcs.map((arc) => straighten(pointsOf(arc, atlas)));
  return atlas.countries
    .flatMap(({ name, polygons }): MapCountry[] => {
      const path = polygons.map((rings) => polygonPath(rings, arcs)).join('');
      return path === '' ? [] : [[NAMES[name] ?? name, path]];
    })
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The points of an arc. Its first step is its starting point. */
function pointsOf(arc: readonly Step[], { scale, translate }: Atlas): MapPoint[] {
  let [x, y] = [0, 0];
  return arc.map(([stepX, stepY]) => {
    x += stepX;
    y += stepY;
    return wholeUnits(x * scale[0] + translate[0], y * scale[1] + translate[1]);
  });
}

function wholeUnits(longitude: number, latitude: number): MapPoint {
  const [x, y] = project(longitude, latitude);
  return [Math.round(x), Math.round(y)];
}

/** Removes the flattest bends first (Visvalingam and Whyatt). Keeps ends, and an island's corners. */
function straighten(points: readonly MapPoint[]): MapPoint[] {
  const kept = [...points];
  const least = isDetailed(points) ? MIN_BEND.detailed : MIN_BEND.coarse;
  const [start, end] = [kept[0], kept.at(-1)];
  const isIsland = start?.[0] === end?.[0] && start?.[1] === end?.[1];
  while (kept.length > (isIsland ? MIN_POINTS : 2)) {
    let flattest = -1;
    let smallest = least;
    for (let at = 1; at < kept.length - 1; at += 1) {
      const size = triangle(kept[at - 1], kept[at], kept[at + 1]);
      if (size < smallest) [flattest, smallest] = [at, size];
    }
    if (flattest === -1) return kept;
    kept.splice(flattest, 1);
  }
  return kept;
}

function triangle(one: MapPoint = [0, 0], two: MapPoint = [0, 0], three: MapPoint = [0, 0]): number {
  return Math.abs((two[0] - one[0]) * (three[1] - one[1]) - (three[0] - one[0]) * (two[1] - one[1])) / 2;
}

function isDetailed(points: readonly MapPoint[]): boolean {
  const [west, north] = wholeUnits(DETAILED.west, DETAILED.north);
  const [east, south] = wholeUnits(DETAILED.east, DETAILED.south);
  return points.some(([x, y]) => x >= west && x <= east && y >= north && y <= south);
}

function polygonPath(rings: Rings, arcs: readonly (readonly MapPoint[])[]): string {
  return rings.map((ring) => ringPath(chain(ring, arcs))).join('');
}

function chain(ring: readonly number[], arcs: readonly (readonly MapPoint[])[]): MapPoint[] {
  return ring.flatMap((arc) => {
    const points = arc < 0 ? (arcs[~arc] ?? []).toReversed() : (arcs[arc] ?? []);
    // Each arc starts at the end of the previous one, so its first point is left out.
    return points.slice(1);
  });
}

/** A closed path of relative steps. Empty if the ring is too small, or off the map. */
function ringPath(points: readonly MapPoint[]): string {
  const [start, ...others] = points;
  if (start === undefined || others.length < 2) return '';
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const across = Math.max(...xs) - Math.min(...xs);
  const down = Math.max(...ys) - Math.min(...ys);
  const least = isDetailed(points) ? MIN_EXTENT.detailed : MIN_EXTENT.coarse;
  if (down === 0 || Math.max(across, down) < least) return '';
  let [x, y] = start;
  const steps = others.map(([nextX, nextY]) => {
    const step = `${nextX - x}${nextY - y < 0 ? '' : ' '}${nextY - y}`;
    [x, y] = [nextX, nextY];
    return step;
  });
  return `M${start[0]} ${start[1]}l${steps.join(' ').replaceAll(' -', '-')}z`;
}
