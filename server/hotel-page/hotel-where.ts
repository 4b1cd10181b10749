import { aboutDistance } from '../../domain/distance-words.ts';
import { distanceKm } from '../inventory/great-circle.ts';
import type { HotelRecord } from '../inventory/inventory.ts';
import { readReference } from '../inventory/reference-files.ts';
import { type Html, html } from '../lib/html.ts';
import type { ResortPositions } from '../package-search/query/resort-positions.ts';
import type { HotelFacts } from './hotel-facts.ts';

/** The page's own tiles, or the operator's. */
export type MapTiles = { url: string; attribution: string } | null;

let airportPositions: ReadonlyMap<string, { latitude: number; longitude: number }> | null = null;

/** 'Where it is': straight distances in words, and the box of a map that the page's script draws. */
export function wherePart(
  { hotel, resort, catalogue, chosen }: HotelFacts,
  positions: ResortPositions,
  tiles: MapTiles,
): Html | false {
  const at = positionOf(hotel);
  if (at === null) return false;
  const flight = catalogue.flights.get(chosen?.offer.outboundFlight ?? 0);
  const airport = catalogue.airports.get(flight?.destination ?? 0);
  airportPositions ??= new Map(readReference().airports.map((each) => [each.iata, each]));
  const middle = positions.get(hotel.resort);
  const landed = airportPositions.get(airport?.code ?? '');
  const distances = [
    hotel.seaDistance != null && `${aboutDistance(hotel.seaDistance)} from the sea`,
    middle !== undefined &&
      middle.hotels > 1 &&
      `${aboutDistance(distanceKm(at, middle))} from the middle of ${resort}’s hotels`,
    airport !== undefined &&
      landed !== undefined &&
      `${aboutDistance(distanceKm(at, landed))} from ${airport.name}`,
  ].filter((words) => words !== false);
  return html`<section class="hotel-section"><h2 class="hotel-title" id="where">Where it is</h2>
<ul class="hotel-distances">${distances.map((words) => html`<li>${words}</li>`)}</ul>
<div class="hotel-map" data-hotel-map="${JSON.stringify({ ...at, tiles })}"></div>
<p class="hotel-map-source">Distances are in a straight line. ${tiles?.attribution ?? html`Coasts © <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors, to 250 m. Names: <a href="https://www.geonames.org">GeoNames</a>.`}</p>
</section>`;
}

/** Feeds write 0, 0 for an unknown position. */
function positionOf({ latitude, longitude }: HotelRecord) {
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  return { latitude, longitude };
}
