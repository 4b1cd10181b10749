import { MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { mapStyle, type OwnTiles } from './map-style.ts';

setWorkerUrl(workerUrl);

/** The closest zoom: about 600 m across on a phone. */
export const MAX_ZOOM = 16;

/** Null without WebGL. */
export function drawnMap(container: HTMLElement, ownTiles: OwnTiles | null): MapLibreMap | null {
  try {
    return new MapLibreMap({
      container,
      style: mapStyle(container, ownTiles),
      maxZoom: MAX_ZOOM,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
    });
  } catch {
    return null;
  }
}
