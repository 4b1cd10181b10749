import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Atlas, mapCountries } from './map-countries.ts';
import { mapText, readAtlas } from './write-map.ts';

const SQUARE: Atlas = {
  scale: [0.01, 0.01],
  translate: [0, 40],
  // A square with sides of two degrees. Its eastern side is a shared border with a flat bend.
  arcs: [
    [
      [200, 0],
      [1, 100],
      [-1, 100],
    ],
    [
      [200, 200],
      [-200, 0],
      [0, -200],
      [200, 0],
    ],
    [
      [200, 0],
      [200, 0],
      [0, 200],
      [-200, 0],
    ],
  ],
  countries: [
    { name: 'West', polygons: [[[0, 1]]] },
    { name: 'Dominican Rep.', polygons: [[[~0, 2]]] },
    { name: 'Speck', polygons: [[[]]] },
  ],
};

describe('mapCountries', () => {
  it('simplifies a shared border once, for both neighbours', () => {
    const [east, west] = mapCountries(SQUARE);
    const corners = (path = '') => (path.match(/[\d-]+[ -]-?\d+/g) ?? []).length;
    expect([corners(east?.[1]), corners(west?.[1])]).toEqual([4, 4]);
  });

  it('sorts by name, uses full names, and omits countries without a shape', () => {
    expect(mapCountries(SQUARE).map(([name]) => name)).toEqual(['Dominican Republic', 'West']);
  });
});

describe('The map', () => {
  it('is what the script makes from Natural Earth', () => {
    expect(readFileSync('web/explore/map/map-countries.json', 'utf8')).toBe(mapText(readAtlas()));
  });

  it('has every country in the destination list', () => {
    const places = readFileSync('assets/locations.csv', 'utf8').trim().split('\n').slice(1);
    const listed = new Set(places.map((row) => row.split(',')[0] ?? ''));
    const drawn = new Set(mapCountries(readAtlas()).map(([name]) => name));
    expect([...listed].filter((name) => !drawn.has(name))).toEqual([]);
  });
});
