import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { DETAIL_ZOOM, seaDistanceKm } from './coast.ts';

/* Real places: straight distances from their positions to the nearest beach, port or cape on public maps. */

const PLACES: [name: string, latitude: number, longitude: number, km: number | null][] = [
  ['Palma cathedral', 39.5674, 2.6483, 0.15],
  ['Valldemossa', 39.7104, 2.6222, 2.9],
  ['Sineu, in the middle of Majorca', 39.6428, 3.0105, 18.2],
  ['Benidorm town hall', 38.5411, -0.1225, 0.7],
  ['Reus, Prioral', 41.1556, 1.1069, 8.6],
  ['Granada, Alhambra', 37.1761, -3.5881, 48],
  ['Ronda', 36.7423, -5.1671, 36],
  ['Barcelona, Sagrada Familia', 41.4036, 2.1744, 2.8],
  ['Girona cathedral', 41.9875, 2.8263, 27],
  ['Teide', 28.2723, -16.6425, 13.8],
  ['Maspalomas lighthouse', 27.7349, -15.5985, 0.1],
  ['Athens, Acropolis', 37.9715, 23.7257, 4.6],
  ['Knossos', 35.298, 25.1632, 5],
  ['Rhodes, Old Town', 36.4447, 28.2268, 0.4],
  ['Dalyan', 36.8343, 28.6446, 2.2],
  ['Ephesus', 37.9411, 27.3419, 5.5],
  ['Side, theatre', 36.7675, 31.3906, 0.2],
  ['Pamukkale', 37.9204, 29.1212, null],
  ['Silves castle', 37.1907, -8.4384, 10.8],
  ['Loule', 37.1377, -8.0197, 10.7],
  ['Nicosia', 35.1856, 33.3823, 17],
  ['Mdina', 35.8858, 14.4031, 4.5],
  ['Dubrovnik, Stradun', 42.6413, 18.1102, 0.2],
  ['Pompeii, forum', 40.7492, 14.4847, 2],
  ['Ravello', 40.6492, 14.6117, 0.8],
  ['Rome, Pantheon', 41.8986, 12.4769, 23],
  ['Nice, railway station', 43.7045, 7.2619, 1.1],
  ['Sunny Beach', 42.6953, 27.7104, 0.3],
  ['Hurghada airport', 27.1783, 33.7994, 2.5],
  ['Marrakech, Jemaa el-Fnaa', 31.6258, -7.9891, null],
];

describe('The distance to the sea', () => {
  it.each(PLACES)('of %s is right', (_, latitude, longitude, km) => {
    const measured = seaDistanceKm(latitude, longitude);
    if (km === null) expect(measured).toBeNull();
    else expect(Math.abs((measured ?? Number.NaN) - km)).toBeLessThan(Math.max(0.4, km * 0.12));
  });

  it.each([
    ['between Majorca and Ibiza', 39.25, 2],
    ['in the Aegean', 37.6, 25.9],
    ['where the coast is unknown', -33.9, 151.2],
  ])('is unknown %s', (_, latitude, longitude) => {
    expect(seaDistanceKm(latitude, longitude)).toBeNull();
  });

  it('is not measured to a lake', () => {
    expect(seaDistanceKm(45.5789, 10.7176)).toBeNull();
  });
});

const TOWNS: [name: string, latitude: number, longitude: number][] = [
  ['Palma', 39.57, 2.65],
  ['Alcúdia', 39.853, 3.121],
  ['Benidorm', 38.538, -0.131],
  ['Torremolinos', 36.62, -4.5],
  ['Faliraki', 36.34, 28.199],
  ['Side', 36.767, 31.389],
  ['Albufeira', 37.088, -8.25],
  ['Ayia Napa', 34.982, 34.002],
  ['Sorrento', 40.627, 14.378],
  ['Dubrovnik', 42.641, 18.109],
];

it.each(TOWNS)('the map names %s in its place', (name, latitude, longitude) => {
  const across = 2 ** DETAIL_ZOOM;
  const height = (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
  const [x, y] = [Math.floor(((longitude + 180) / 360) * across), Math.floor(height * across)];
  const file = join('assets/map', `${DETAIL_ZOOM}-${x}-${y}.pbf`);
  expect(existsSync(file)).toBe(true);
  const towns = new VectorTile(new PbfReader(readFileSync(file))).layers.towns;
  const found = Array.from({ length: towns?.length ?? 0 }, (_, nth) => towns?.feature(nth));
  const named = found.find((each) => each?.properties.name === name)?.toGeoJSON(x, y, DETAIL_ZOOM);
  const [east = 0, north = 0] = named?.geometry.type === 'Point' ? named.geometry.coordinates : [];
  expect(Math.abs(east - longitude)).toBeLessThan(0.01);
  expect(Math.abs(north - latitude)).toBeLessThan(0.01);
});
