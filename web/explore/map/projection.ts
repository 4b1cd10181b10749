/** A point of the map: fiftieths of a degree to the east, and to the south on Mercator's projection. */
export type MapPoint = readonly [x: number, y: number];

/** Beyond these latitudes the map ends. */
const NORTHERNMOST = 72;
const SOUTHERNMOST = -56;

/** Units of the map in a degree of longitude. */
export const UNITS = 50;

const RADIANS = Math.PI / 180;

/** The point of a position in degrees. */
export function project(longitude: number, latitude: number): MapPoint {
  const north = Math.min(NORTHERNMOST, Math.max(SOUTHERNMOST, latitude));
  const y = Math.log(Math.tan(Math.PI / 4 + (north * RADIANS) / 2)) / RADIANS;
  return [Math.round(longitude * UNITS), Math.round(-y * UNITS)];
}
