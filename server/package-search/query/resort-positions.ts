import type { ReadRows, SqlValue } from '../../storage/sql-database.ts';

export interface Position {
  latitude: number;
  longitude: number;
}

/** The middle of the hotels of a resort. */
export interface ResortPosition extends Position {
  /** Hotels with a known position. */
  hotels: number;
}

/** By resort id, without resorts that have no known position. */
export type ResortPositions = ReadonlyMap<number, ResortPosition>;

/** Sums whole numbers: a sum of fractions depends on their order, which differs by store. */
const PER_DEGREE = 1_000_000;

const summed = (column: string) => `sum(cast(round(${column} * ${PER_DEGREE}) as bigint))`;

/** Feeds write 0, 0, a point in the Atlantic, for an unknown position. */
const POSITIONS = `select resort, count(*), ${summed('latitude')}, ${summed('longitude')} from hotel
  where latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)
  group by resort`;

const RADIANS = Math.PI / 180;

export interface VersionedPositions {
  version: string;
  positions: ResortPositions;
}

/**
 * Caches the positions of the latest version read. For another version, concurrent callers share one `read`.
 * Failures are not cached.
 */
export function cachedResortPositions(): (
  version: string,
  read: () => Promise<VersionedPositions>,
) => Promise<ResortPositions> {
  let known: VersionedPositions | null = null;
  let reading: Promise<VersionedPositions> | null = null;
  return async (version, read) => {
    if (known?.version === version) return known.positions;
    reading ??= read().finally(() => {
      reading = null;
    });
    known = await reading;
    return known.positions;
  };
}

export async function readResortPositions(rows: ReadRows): Promise<ResortPositions> {
  const found = await rows(POSITIONS, []);
  return new Map(
    found.map(([resort, hotels, latitude, longitude]) => {
      const mean = (sum: SqlValue | undefined) => Number(sum) / PER_DEGREE / Number(hotels);
      return [
        Number(resort),
        { hotels: Number(hotels), latitude: mean(latitude), longitude: mean(longitude) },
      ];
    }),
  );
}

/**
 * The mean position of all hotels of some resorts, rounded to 0.001 degrees; null without hotels. Averages
 * in space, because longitudes wrap at 180°.
 */
export function middleOf(resorts: readonly ResortPosition[]): Position | null {
  let x = 0;
  let y = 0;
  let z = 0;
  // Sorts, because a sum of fractions depends on their order, and the order of resorts depends on imports.
  const inOrder = resorts.toSorted(
    (one, other) =>
      one.latitude - other.latitude || one.longitude - other.longitude || one.hotels - other.hotels,
  );
  for (const { hotels, latitude, longitude } of inOrder) {
    const [north, east] = [latitude * RADIANS, longitude * RADIANS];
    x += hotels * Math.cos(north) * Math.cos(east);
    y += hotels * Math.cos(north) * Math.sin(east);
    z += hotels * Math.sin(north);
  }
  if (x === 0 && y === 0 && z === 0) return null;
  const round = (radians: number) => Math.round((radians / RADIANS) * 1_000) / 1_000;
  return { latitude: round(Math.atan2(z, Math.hypot(x, y))), longitude: round(Math.atan2(y, x)) };
}
