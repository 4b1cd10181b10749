import type { ReadRows, SqlValue } from '../storage/sql-database.ts';

/** A position on the globe, in degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** The middle of the hotels of a resort. */
export interface ResortPosition extends Position {
  /** Hotels with a known position. */
  hotels: number;
}

/** By the resort's id. Resorts without a hotel whose position is known are missing. */
export type ResortPositions = ReadonlyMap<number, ResortPosition>;

/** Positions are summed as whole numbers: a sum of fractions depends on their order, which each store chooses itself. */
const PER_DEGREE = 1_000_000;

const summed = (column: string) => `sum(cast(round(${column} * ${PER_DEGREE}) as bigint))`;

/** Feeds write 0, 0, a point in the Atlantic, for an unknown position. */
const POSITIONS = `select resort, count(*), ${summed('latitude')}, ${summed('longitude')} from hotel
  where latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)
  group by resort`;

const RADIANS = Math.PI / 180;

/** The positions in a version of the store. */
export interface VersionedPositions {
  version: string;
  positions: ResortPositions;
}

/**
 * Keeps the positions of the version that was read last. `read` is called if another one is asked for, once for all who
 * ask meanwhile; they get the version that it finds. A failed read is not kept.
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
 * The mean position of all hotels of some resorts, in thousandths of a degree; null without a hotel. The mean is taken
 * in space, because longitudes on both sides of 180° have no useful mean.
 */
export function middleOf(resorts: readonly ResortPosition[]): Position | null {
  let x = 0;
  let y = 0;
  let z = 0;
  // The sum of fractions depends on their order, and that of the resorts on their imports.
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
