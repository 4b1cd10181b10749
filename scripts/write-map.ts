import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { type Atlas, mapCountries } from './map-countries.ts';

// node scripts/write-map.ts: writes web/explore/map/map-countries.json from Natural Earth's 1:50 million
// countries (public domain, https://www.naturalearthdata.com) in the npm package world-atlas.
const SOURCE = 'node_modules/world-atlas/countries-50m.json';
const TARGET = 'web/explore/map/map-countries.json';

const numbers = v.array(v.number());
const rings = v.array(numbers);
const geometry = v.variant('type', [
  v.object({ type: v.literal('Polygon'), arcs: rings, properties: v.object({ name: v.string() }) }),
  v.object({
    type: v.literal('MultiPolygon'),
    arcs: v.array(rings),
    properties: v.object({ name: v.string() }),
  }),
]);
const pair = v.tuple([v.number(), v.number()]);
const atlas = v.object({
  transform: v.object({ scale: pair, translate: pair }),
  arcs: v.array(v.array(pair)),
  objects: v.object({ countries: v.object({ geometries: v.array(geometry) }) }),
});

export function readAtlas(): Atlas {
  const { transform, arcs, objects } = v.parse(atlas, JSON.parse(readFileSync(SOURCE, 'utf8')));
  return {
    ...transform,
    arcs,
    countries: objects.countries.geometries.map(({ properties, ...shape }) => ({
      name: properties.name,
      polygons: shape.type === 'Polygon' ? [shape.arcs] : shape.arcs,
    })),
  };
}

/** The text of the map's file: each country's path by its name. */
export function mapText(source: Atlas): string {
  return `${JSON.stringify(Object.fromEntries(mapCountries(source)), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(TARGET, mapText(readAtlas()));
