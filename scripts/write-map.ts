import { readFileSync, writeFileSync } from 'node:fs';
import { type Atlas, mapCountries } from './map-countries.ts';

// node scripts/write-map.ts: writes web/explore/map/map-countries.json from Natural Earth's 1:50 million
// countries (public domain, https://www.naturalearthdata.com) in the npm package world-atlas.
const SOURCE = 'node_modules/world-atlas/countries-50m.json';
const TARGET = 'web/explore/map/map-countries.json';

interface Topology {
  transform: Pick<Atlas, 'scale' | 'translate'>;
  arcs: Atlas['arcs'];
  objects: { countries: { geometries: (Shape & { properties: { name: string } })[] } };
}

type Shape = { type: 'Polygon'; arcs: number[][] } | { type: 'MultiPolygon'; arcs: number[][][] };

export function readAtlas(): Atlas {
  const { transform, arcs, objects }: Topology = JSON.parse(readFileSync(SOURCE, 'utf8'));
  return {
    ...transform,
    arcs,
    countries: objects.countries.geometries.map(({ properties, ...shape }) => ({
      name: properties.name,
      polygons: shape.type === 'Polygon' ? [shape.arcs] : shape.arcs,
    })),
  };
}

/** The content of the map's file: each country's path, by name. */
export function mapText(source: Atlas): string {
  return `${JSON.stringify(Object.fromEntries(mapCountries(source)), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(TARGET, mapText(readAtlas()));
