import { Marker } from 'maplibre-gl';
import { drawnMap } from './drawn-map.ts';

const ZOOM = 11;

/** Draws the map of a hotel's page, which says the distances in words. Removes its box without WebGL. */
export function drawHotelMap(box: HTMLElement): void {
  const { longitude, latitude, tiles } = JSON.parse(box.dataset.hotelMap ?? '');
  const map = drawnMap(box, tiles);
  if (map === null) {
    box.remove();
    return;
  }
  const pin = document.createElement('span');
  pin.className = 'hotel-pin';
  map.jumpTo({ center: [longitude, latitude], zoom: ZOOM });
  new Marker({ element: pin }).setLngLat([longitude, latitude]).addTo(map);
}
