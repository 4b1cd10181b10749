import { addProtocol } from 'maplibre-gl';

/** The URLs of the tiles (scripts/write-map.ts), by zoom and place. Most tiles of the world do not exist. */
const URLS = import.meta.glob<string>('../../assets/map/*.pbf', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The zoom levels that have tiles. */
export const TILE_ZOOMS = [0, 2, 4, 7] as const;

/** For sources: MapLibre asks for the tiles below. */
export const TILE_URL = 'coast://{z}-{x}-{y}';

addProtocol('coast', async ({ url }, { signal }) => {
  const file = URLS[`../../assets/map/${url.slice('coast://'.length)}.pbf`];
  if (file === undefined) return { data: new ArrayBuffer(0) };
  const response = await fetch(file, { signal });
  if (!response.ok) throw new Error(`The map's tile ${file} cannot be loaded (${response.status})`);
  return { data: await response.arrayBuffer() };
});
