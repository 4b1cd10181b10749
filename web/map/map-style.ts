import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { TILE_URL, TILE_ZOOMS } from './coast-tiles.ts';

/** Raster tiles of the operator's own (`MAP_TILES`). */
export interface OwnTiles {
  url: string;
  attribution: string;
}

/** The map's style in the page's colours. `box` is an element of the page. */
export function mapStyle(box: HTMLElement, own: OwnTiles | null): StyleSpecification {
  const colour = resolvedColours(box);
  const sea = colour('--sky-high');
  const background: LayerSpecification = {
    id: 'background',
    type: 'background',
    paint: { 'background-color': sea },
  };
  if (own !== null) {
    const source = { type: 'raster' as const, tiles: [own.url], tileSize: 256 };
    return {
      version: 8,
      sources: { own: source },
      layers: [background, { id: 'own', type: 'raster', source: 'own' }],
    };
  }
  const land = colour('--sunken');
  const zooms = TILE_ZOOMS.map((zoom, nth) => ({ zoom, source: `zoom-${zoom}`, until: TILE_ZOOMS[nth + 1] }));
  const fills = { sea, land, lakes: sea, islands: land };
  return {
    version: 8,
    sources: Object.fromEntries(
      zooms.map(({ zoom, source }) => [
        source,
        { type: 'vector', tiles: [TILE_URL], minzoom: zoom, maxzoom: zoom },
      ]),
    ),
    layers: [
      background,
      // Finer tiles cover coarser ones, which stay where no finer ones exist.
      ...zooms.flatMap(({ source }) =>
        Object.entries(fills).map(
          ([layer, fill]): LayerSpecification => ({
            id: `${source}-${layer}`,
            type: 'fill',
            source,
            'source-layer': layer,
            paint: { 'fill-color': fill, 'fill-antialias': layer !== 'sea' },
          }),
        ),
      ),
      ...zooms.map(
        ({ source, until }): LayerSpecification => ({
          id: `${source}-towns`,
          type: 'symbol',
          source,
          'source-layer': 'towns',
          ...(until !== undefined && { maxzoom: until }),
          filter: [
            '>=',
            ['get', 'population'],
            [
              'step',
              ['zoom'],
              3_000_000,
              3,
              1_000_000,
              4,
              400_000,
              7,
              60_000,
              8,
              20_000,
              9,
              5_000,
              10,
              1_000,
              11,
              0,
            ],
          ],
          layout: {
            'text-field': ['get', 'name'],
            'text-size': 12,
            'text-font': ['sans-serif'],
            'symbol-sort-key': ['-', 0, ['get', 'population']],
            'text-padding': 6,
          },
          paint: {
            'text-color': colour('--ink-soft'),
            'text-halo-color': land,
            'text-halo-width': 1.5,
          },
        }),
      ),
    ],
  };
}

/** MapLibre understands neither variables nor `light-dark()`. */
function resolvedColours(box: HTMLElement): (variable: string) => string {
  return (variable) => {
    const probe = document.createElement('i');
    probe.style.color = `var(${variable})`;
    box.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
