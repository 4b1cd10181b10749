/** A point on Mercator's projection, in fiftieths of a degree: x to the east, y to the south. */
export type MapPoint = readonly [x: number, y: number];

/** The map ends at these latitudes. */
const MAX_LATITUDE = 72;
const MIN_LATITUDE = -56;

/** Map units per degree of longitude. */
export const UNITS = 50;

const RADIANS = Math.PI / 180;

/** The point of a position in degrees. */
export function project(longitude: number, latitude: number): MapPoint {
  const north = Math.min(MAX_LATITUDE, Math.max(MIN_LATITUDE, latitude));
  const y = Math.log(Math.tan(Math.PI / 4 + (north * RADIANS) / 2)) / RADIANS;
  return [longitude * UNITS, -y * UNITS];
}
