import { type Airport, airportName } from '../../domain/airport.ts';
import { boardBasisWords } from '../../domain/board-basis.ts';
import { addDays, type CalendarDate, fromDayNumber } from '../../domain/calendar-date.ts';
import { chargeLine, chargePartWords, priceNote, WITH_CHARGES } from '../../domain/charge-words.ts';
import {
  formatBriefWeekday,
  formatClock,
  formatLongDate,
  monthWords,
  weekdayName,
} from '../../domain/day-words.ts';
import { type DestinationTuple, shortName } from '../../domain/destination.ts';
import { formatFlightDuration } from '../../domain/duration.ts';
import { FILTER_ENTRIES } from '../../domain/filters.ts';
import { bagWords, legTimes } from '../../domain/holiday-words.ts';
import { londonClock } from '../../domain/london-time.ts';
import { formatPounds, formatWholePounds } from '../../domain/money.ts';
import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { type PackageHoliday, partyOf, shownPrice } from '../../domain/package-holiday.ts';
import { partyWords } from '../../domain/party.ts';
import { placePath } from '../../domain/place-path.ts';
import { priceEach } from '../../domain/price-each.ts';
import { labelledSentence } from '../../domain/price-verdict-words.ts';
import { recordOf } from '../inventory/catalogue.ts';
import type { HotelRecord, HotelText } from '../inventory/inventory.ts';
import type { Offer } from '../inventory/offer.ts';
import { extrasOf } from '../inventory/offer-extras.ts';
import { type Html, html } from '../lib/html.ts';
import type { ResortPositions } from '../package-search/query/resort-positions.ts';
import { breadcrumbs, jsonLd, validUntil } from '../page/json-ld.ts';
import { shareImage } from '../page/share-images.ts';
import type { FoundHotel } from './find-hotel.ts';
import type { HotelFacts, ReadPackage } from './hotel-facts.ts';
import { DAYS_OF_GRID, type HotelSearch } from './hotel-search.ts';
import { type MapTiles, wherePart } from './hotel-where.ts';
import type { GridCell } from './price-grid.ts';

export const HOTEL_SCRIPT = '/hotel.js';

export interface HotelView extends HotelFacts {
  airports: readonly Airport[];
  /** The page's own path, without parameters. */
  path: string;
  /** ATOL numbers by provider code. */
  atols: ReadonlyMap<string, string | null>;
  offersAlerts: boolean;
  /** The site's URL for structured data; null: unknown. */
  publicUrl: string | null;
  offersHistory: boolean;
  /** The script of the built page, which has the dialogs; null: not built. */
  pageScript: string | null;
  nowMs: number;
  positions: ResortPositions;
  mapTiles: MapTiles;
}

/** The HTML of a hotel's page. */
export function hotelView(view: HotelView): string {
  const { hotel, country, region, resort, search, chosen, airports, nowMs, pageScript } = view;
  const from = chosen?.holiday.FlightDetails.Outbound.DepartureAirportCode ?? '';
  const at = new Date(nowMs).toISOString();
  return html`<main class="hotel" data-at="${at}"${pageScript !== null && html` data-page="${pageScript}"`}${chosen !== null && html` data-holiday="${JSON.stringify(chosen.holiday)}" data-airport="${JSON.stringify(airports.filter(({ code }) => code === from))}"`}>
<p class="hotel-kept" role="status" hidden>You seem to be offline. These prices are as of ${formatClock(londonClock(nowMs).minute)}, ${formatLongDate(londonClock(nowMs).day)}.</p>
<p><a class="hotel-back" href="${resultsLink(search)}"><span class="hotel-back-words">${search.parameters.has('country') ? 'Back to the results' : 'Search holidays'}</span><span class="hotel-close" aria-hidden="true">×</span></a></p>
<h1 class="hotel-name">${hotel.name}</h1>
<p class="hotel-place">${stars(hotel.halfStars)} <span>${placeLinks([country, region, resort])}</span>${ratingWords(view)}</p>
<div class="hotel-top">
${photos(view)}
${chosenPart(view)}
${aboutPart(view)}
</div>
${gridPart(view)}
${alikePart(view)}
${wherePart(view, view.positions, view.mapTiles)}
${structuredData(view)}
</main>`.text;
}

/** The hotel, and the package that is shown, for search engines (schema.org). */
function structuredData(view: HotelView): Html | false {
  const { publicUrl, path, hotel, country, region, resort, chosen, images, nowMs } = view;
  if (publicUrl === null) return false;
  const [image = ''] = images;
  const url = publicUrl + path;
  const [description, facilities] = [textOf(view, 'description'), textOf(view, 'facilities')];
  return jsonLd(
    breadcrumbs(publicUrl, [country, region, resort]),
    {
      '@type': 'Hotel',
      name: hotel.name,
      url,
      image: publicUrl + shareImage(image),
      address: {
        '@type': 'PostalAddress',
        addressLocality: resort,
        addressRegion: region,
        addressCountry: country,
      },
      ...(description && { description }),
      ...(facilities && {
        amenityFeature: facilities
          .split('\n')
          .map((name) => ({ '@type': 'LocationFeatureSpecification', name, value: true })),
      }),
      ...(hotel.halfStars > 0 && { starRating: { '@type': 'Rating', ratingValue: hotel.halfStars / 2 } }),
    },
    chosen !== null && {
      '@type': 'Product',
      name: `${chosen.holiday.Duration} nights at ${hotel.name} with flights`,
      url,
      offers: {
        '@type': 'Offer',
        price: chosen.holiday.PriceDetails.TotalPrice,
        priceCurrency: 'GBP',
        priceValidUntil: validUntil(nowMs),
        url: publicUrl + offerLink(view, chosen.offer),
        seller: { '@type': 'Organization', name: providerName(view, chosen.offer) },
      },
    },
  );
}

/** 'Benidorm, Costa Blanca, Spain', each with its page. */
function placeLinks([country, region, resort]: DestinationTuple): Html[] {
  const places = [
    ...(resort === region ? [] : [[country, region, resort] as const]),
    [country, region, ''] as const,
    [country, '', ''] as const,
  ];
  return places.map(
    (place, nth) =>
      html`${nth > 0 && ', '}<a class="hotel-place-link" href="${placePath(place)}">${shortName(place)}</a>`,
  );
}

/** '★★★★½', read out as '4.5 stars'. */
function stars(halfStars: number): Html | false {
  if (halfStars <= 0) return false;
  const rating = halfStars / 2;
  const words = `${rating} ${rating === 1 ? 'star' : 'stars'}`;
  return html`<span class="stars" role="img" aria-label="${words}">${'★'.repeat(Math.floor(rating))}${halfStars % 2 === 1 && '½'}</span>`;
}

/** The provider that describes the hotel is the rating's source. */
function ratingWords(view: HotelView): Html | false {
  const { hotel, chosen } = view;
  if (hotel.consumerRating === null) return false;
  const source = describer(view, hotel) ?? (chosen === null ? undefined : providerName(view, chosen.offer));
  return html`<span>Guests: ${hotel.consumerRating}/10${source !== undefined && ` (${source})`}</span>`;
}

function describer({ catalogue }: HotelView, { provider, describedBy }: HotelRecord): string | undefined {
  return catalogue.providers.get(provider ?? describedBy ?? 0)?.name;
}

function textOf({ records }: FoundHotel, text: HotelText): string {
  return records.find((record) => record[text])?.[text] ?? '';
}

/** What feeds say about the hotel, and once, what the provider says neither of it nor of the package. */
function aboutPart(view: HotelView): Html {
  const { chosen, records } = view;
  const [description, facilities, children] = (['description', 'facilities', 'childPrices'] as const).map(
    (text) => textOf(view, text),
  );
  const source = records.find((record) => record.description || record.facilities || record.childPrices);
  const from = source && describer(view, source);
  const unknown = [
    ...(chosen === null ? [] : packageFacts(view, chosen).filter(({ words }) => words === '')).map(
      ({ unknown }) => unknown,
    ),
    !facilities && 'facilities',
    !children && 'child prices',
  ].filter(Boolean);
  const who = chosen === null ? 'No provider says' : `${providerName(view, chosen.offer)} doesn’t say`;
  return html`<section class="hotel-about">
${source !== undefined && html`<h2 class="hotel-title">About the hotel</h2>`}
${description !== '' && html`<p>${description}</p>`}
${facilities && html`<ul class="hotel-facilities" aria-label="Facilities">${facilities.split('\n').map((name) => html`<li>${name}</li>`)}</ul>`}
${children !== '' && html`<p><b>Children:</b> ${children}</p>`}
${from !== undefined && html`<p class="hotel-provider">Described by ${from}.</p>`}
${unknown.length > 0 && html`<p class="hotel-provider">${who}: ${[...new Set(unknown)].join(', ')}. Ask before you book.</p>`}
</section>`;
}

function photos({ images, hotel }: HotelView): Html {
  const isPhoto = (path: string) => path.startsWith('/photos?');
  const items = images.map((path, nth) => {
    const source = isPhoto(path) ? `${path}&w=960` : path;
    const sources = [320, 640, 960].map((width) => `${path}&w=${width} ${width}w`).join();
    const set = isPhoto(path) && html` srcset="${sources}" sizes="(max-width: 60rem) 92vw, 40rem"`;
    const words = isPhoto(path) ? `Photo ${nth + 1} of ${images.length} of ${hotel.name}` : '';
    return html`<li><img src="${source}"${set} alt="${words}" width="960" height="720"${nth > 0 && html` loading="lazy"`}></li>`;
  });
  return html`<ul class="hotel-photos"${images.length > 1 && html` tabindex="0" aria-label="Photos"`}>${items}</ul>`;
}

function chosenPart(view: HotelView): Html {
  const { chosen, search, offersAlerts } = view;
  if (chosen === null) {
    const from = search.airport === null ? '' : ` from ${search.airport.name}`;
    return html`<section class="hotel-offer"><h2 class="hotel-title">Not on sale on these days</h2>
<p>No provider sells it${from} for ${partyWords(search.party)} around ${formatLongDate(search.date)}. Other days and months are below.</p></section>`;
  }
  const { holiday, offer, analysis } = chosen;
  const { TotalPrice } = holiday.PriceDetails;
  const each = priceEach(holiday.PriceDetails);
  const provider = providerName(view, offer);
  const atol = view.atols.get(holiday.Brand) ?? null;
  return html`<section class="hotel-offer" aria-labelledby="price">
<h2 class="hotel-title" id="price"><strong>${formatPounds(TotalPrice)}</strong> <span>${priceNote(holiday) ?? 'total'} for ${partyWords(partyOf(holiday))}</span></h2>
<p>${formatPounds(each.pounds)} per ${each.unit}</p>
${chargesPart(holiday, provider)}
${analysis !== null && html`<div class="hotel-verdict" data-price-analysis="${holiday.ItemKey}"><p>${labelledSentence(analysis)}</p></div>`}
<p class="hotel-acts">
${holiday.DeeplinkUrl !== '' && html`<a class="button-action" href="${holiday.DeeplinkUrl}" target="_blank" rel="noopener noreferrer" data-visit="${JSON.stringify(shownPrice(holiday))}">Visit site<span class="visually-hidden"> of ${provider}, opens in a new tab</span></a>`}
${offersAlerts && html`<a class="button-quiet" href="${alertLink(view, holiday)}" data-dialog="alerts">Set up price alerts</a>`}
${offersAlerts && html`<a class="button-quiet" href="${alertLink(view, holiday)}#watch">Tell me when this costs less</a>`}
${offersAlerts && html`<a class="chip-button" href="${alertLink(view, holiday, true)}#booked">I’ve booked this</a>`}
</p>
<p class="hotel-provider">You book with <b>${provider}</b>${atol !== null && `, ATOL ${atol}`}. ${seenWords(holiday)}${view.offersHistory && html` <button type="button" class="link-button" data-dialog="history" hidden>Price history</button>`}</p>
${factsPart(view, chosen)}
</section>`;
}

function seenWords({ LastSeen }: PackageHoliday): string {
  return LastSeen === null ? '' : `Price last seen ${formatLongDate(LastSeen.slice(0, 10))}.`;
}

/** The parts of the price, with rates and sources. */
function chargesPart(holiday: PackageHoliday, provider: string): Html | false {
  const line = chargeLine(holiday, provider);
  if (line === null) return false;
  const parts = (holiday.LocalCharges?.Parts ?? []).map(
    (part) =>
      html`<p>${chargePartWords(part)}${part.Source !== '' && html`. <a href="${part.Source}" rel="noopener noreferrer">Source</a>`}</p>`,
  );
  return parts.length === 0
    ? html`<p>${line}</p>`
    : html`<details><summary>${line}</summary>${parts}</details>`;
}

/** A fact's name, what is known of it ('': nothing), and what to call it if nothing is. */
interface Fact {
  term: string;
  words: string;
  unknown: string;
}

function factsPart(view: HotelView, chosen: ReadPackage): Html {
  const known = packageFacts(view, chosen).filter(({ words }) => words !== '');
  return html`<dl class="hotel-facts">${known.map(({ term, words }) => html`<div><dt>${term}</dt><dd>${words}</dd></div>`)}</dl>`;
}

function packageFacts({ airports }: HotelView, { holiday, offer }: ReadPackage): Fact[] {
  const { Outbound, Inbound } = holiday.FlightDetails;
  const date = Outbound.DepartureDateTime.slice(0, 10);
  const nights = `${holiday.Duration} ${holiday.Duration === 1 ? 'night' : 'nights'}`;
  const flight = [
    airportName(airports, Outbound.DepartureAirportCode),
    Outbound.AirlineName,
    Outbound.FlightDuration !== null && formatFlightDuration(Outbound.FlightDuration),
  ];
  const [out, back] = [legTimes(Outbound), legTimes(Inbound)];
  const room = [holiday.RoomTypeDescription, holiday.FreeChild && 'free child place'];
  const { transfer, holdKg, cabinKg } = extrasOf(offer.extras);
  const bags = [
    bagWords(holiday.Bags),
    holiday.Bags !== 0 &&
      holdKg !== null &&
      `${holdKg} kg${(holiday.Bags ?? 1) > 1 ? ' each' : ''} in the hold`,
    cabinKg !== null && `${cabinKg} kg in the cabin`,
  ];
  const fact = (term: string, words: readonly unknown[], unknown = term.toLowerCase()): Fact => ({
    term,
    words: words.filter(Boolean).join(', '),
    unknown,
  });
  return [
    fact('Dates', [`${weekdayName(date)} ${formatLongDate(date)}`, nights]),
    fact('Board', [boardBasisWords(holiday.BoardBasis)]),
    fact('Room', room),
    fact('Bags', bags),
    fact('Transfer', [transfer !== null && (transfer ? 'Included' : 'Not included')]),
    fact('Flight', flight),
    fact('Out', [out], 'flight times'),
    fact('Back', [back], 'flight times'),
  ];
}

/** The lowest prices of each board: by day around the search, or by month. */
function gridPart(view: HotelView): Html {
  const { days, grid, search, path } = view;
  const nights = search.nights[0] === search.nights[1] ? search.nights[0] : search.nights.join(' to ');
  const earlier = dayLink(search, path, addDays(search.date, -DAYS_OF_GRID));
  const later = dayLink(search, path, addDays(search.date, DAYS_OF_GRID));
  const rows = grid.map(({ board, cells }) => ({
    head: boardWords(view, board),
    cells: cells.map((cell) => gridCell(view, cell)),
  }));
  const empty = { head: 'Any board', cells: days.map(() => gridCell(view, null)) };
  return html`<section class="hotel-section">
<h2 class="hotel-title" id="days">Prices by board</h2>
<input class="hotel-by" type="radio" name="by" id="by-day" checked><label class="hotel-by-label" for="by-day">By day</label><input class="hotel-by" type="radio" name="by" id="by-month"><label class="hotel-by-label" for="by-month">By month</label>
<p>The lowest price for ${nights} nights${search.airport !== null && ` from ${search.airport.name}`}, ${WITH_CHARGES}. ${cheapestMonth(view)}</p>
<div class="hotel-by-day">
${table(
  days.map((day) => formatBriefWeekday(fromDayNumber(day))),
  rows.length > 0 ? rows : [empty],
)}
<p class="hotel-acts">${search.firstDay < search.date && html`<a class="chip-button" href="${earlier}">Earlier days</a>`} <a class="chip-button" href="${later}">Later days</a></p>
</div>
<div class="hotel-by-month">${monthsTable(view)}</div>
</section>`;
}

function cheapestMonth({ months, search, path }: HotelView): Html | false {
  const [lowest] = months.toSorted((one, other) => one.price - other.price || one.day - other.day);
  if (lowest === undefined) return false;
  const date = fromDayNumber(lowest.day);
  return html`Cheapest in the next year: <a href="${dayLink(search, path, date)}">${formatWholePounds(lowest.price)} on ${formatLongDate(date)}</a>.`;
}

function monthsTable(view: HotelView): Html {
  const { months, search, path } = view;
  if (months.length === 0) return html`<p>Not on sale in the next year.</p>`;
  const lowest = Math.min(...months.map(({ price }) => price));
  const columns = [...new Set(months.map(({ day }) => monthOfDay(day)))].toSorted(
    (one, other) => one - other,
  );
  const byBoard = [...Map.groupBy(months, ({ board = 0 }) => board)];
  const lowestOf = (ofBoard: typeof months) => Math.min(...ofBoard.map(({ price }) => price));
  const rows = byBoard.toSorted(([, one], [, other]) => lowestOf(one) - lowestOf(other));
  return table(
    columns.map((month) => monthWords(fromDayNumber(firstDayOfMonth(month)))),
    rows.map(([board, ofBoard]) => ({
      head: boardWords(view, board),
      cells: columns.map((month) => {
        const found = ofBoard.find(({ day }) => monthOfDay(day) === month);
        if (found === undefined) return NOT_ON_SALE;
        const date = fromDayNumber(found.day);
        return html`<td class="hotel-table-cell hotel-cell${found.price === lowest && ' hotel-lowest'}"><a class="hotel-cell-link" href="${dayLink(search, path, date)}"><b>${formatWholePounds(found.price)}</b> <span class="hotel-cell-provider">${formatBriefWeekday(date)}${found.price === lowest && ', the lowest'}</span></a></td>`;
      }),
    })),
  );
}

function table(columns: readonly string[], rows: readonly { head: string; cells: readonly Html[] }[]): Html {
  const heads = columns.map(
    (head) => html`<th class="hotel-table-cell hotel-table-head" scope="col">${head}</th>`,
  );
  return html`<div class="hotel-scroll" tabindex="0" role="region" aria-labelledby="days">
<table class="hotel-table"><thead><tr><td class="hotel-table-cell hotel-table-row"></td>${heads}</tr></thead>
<tbody>${rows.map(({ head, cells }) => html`<tr><th class="hotel-table-cell hotel-table-row" scope="row">${head}</th>${cells}</tr>`)}</tbody></table>
</div>`;
}

const NOT_ON_SALE = html`<td class="hotel-table-cell hotel-cell-empty">Not on sale</td>`;

function gridCell(view: HotelView, cell: GridCell | null): Html {
  if (cell === null) return NOT_ON_SALE;
  const { offer, total, others } = cell;
  const isChosen =
    view.chosen?.offer.departureDay === offer.departureDay && view.chosen.offer.board === offer.board;
  const named = others.map(
    ({ provider, total: theirs }) => `${nameOf(view, provider)} ${formatWholePounds(theirs)}`,
  );
  const provider = (words: string) => html` <span class="hotel-cell-provider">${words}</span>`;
  return html`<td class="hotel-table-cell hotel-cell${isChosen && ' hotel-chosen'}"><a class="hotel-cell-link${isChosen && ' hotel-chosen-link'}" href="${offerLink(view, offer)}"${isChosen && html` aria-current="true"`}><b>${formatWholePounds(total)}</b>${provider(providerName(view, offer))}${named.map(provider)}</a></td>`;
}

/** The other packages of the chosen day and board: rooms, airports, nights and providers. */
function alikePart(view: HotelView): Html | false {
  const { alike, chosen, airports } = view;
  if (alike.length < 2 || chosen === null) return false;
  const rows = alike.map(({ offer, holiday }) => {
    const isChosen = offer === chosen.offer;
    const { Outbound } = holiday.FlightDetails;
    const total = formatPounds(holiday.PriceDetails.TotalPrice);
    const cell = (content: string | Html) => html`<td class="hotel-table-cell">${content}</td>`;
    const times = legTimes(Outbound);
    const from = airportName(airports, Outbound.DepartureAirportCode) + (times === null ? '' : ` ${times}`);
    return html`<tr class="${isChosen && 'hotel-chosen'}"><th class="hotel-table-cell hotel-table-row" scope="row">${holiday.RoomTypeDescription || 'Room not named'}</th>${cell(from)}${cell(`${holiday.Duration} nights`)}${cell(providerName(view, offer))}${cell(isChosen ? html`<b>${total}</b> (shown above)` : html`<a class="hotel-alike-link" href="${offerLink(view, offer)}">${total}<span class="visually-hidden">, show this one</span></a>`)}</tr>`;
  });
  return html`<section class="hotel-section">
<h2 class="hotel-title" id="alike">Ways to book this day and board</h2>
<div class="hotel-scroll" tabindex="0" role="region" aria-labelledby="alike">
<table class="hotel-table"><thead><tr>${['Room', 'From', 'Stay', 'Provider', 'Total'].map((head) => html`<th class="hotel-table-cell hotel-table-head" scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>
</div></section>`;
}

function boardWords({ catalogue }: HotelView, board: number): string {
  return boardBasisWords(recordOf(catalogue.boards, board).code);
}

function providerName(view: HotelView, offer: Offer): string {
  return nameOf(view, offer.provider);
}

function nameOf({ catalogue }: HotelView, provider: number): string {
  return recordOf(catalogue.providers, provider).name;
}

function offerLink({ search, path, itemKeyOf }: HotelView, offer: Offer): string {
  const parameters = new URLSearchParams(search.parameters);
  parameters.set('date', fromDayNumber(offer.departureDay));
  parameters.set('holiday', itemKeyOf(offer));
  return `${path}?${parameters.toString()}`;
}

function dayLink(search: HotelSearch, path: string, date: CalendarDate): string {
  const parameters = new URLSearchParams(search.parameters);
  parameters.set('date', date);
  return `${path}?${parameters.toString()}#days`;
}

/** The results that the page was opened from, with its package marked. */
function resultsLink({ parameters, itemKey }: HotelSearch): string {
  if (!parameters.has('country')) return '/';
  const marked = new URLSearchParams(parameters);
  if (itemKey !== '') marked.set('holiday', itemKey);
  return `/results?${marked.toString()}`;
}

/** What would find other packages than the booked one's hotel, day, nights, airport and board. */
const FLEXIBLE = ['flex', 'or', 'nights', 'from', 'stars', ...FILTER_ENTRIES.map(([key]) => key)];

/** The results with only this hotel, whose card has the form. If it is booked, only with packages like it. */
function alertLink(
  { search, hotel, country, region, resort }: HotelView,
  holiday: PackageHoliday,
  isBooked = false,
): string {
  const parameters = new URLSearchParams(search.parameters);
  if (isBooked) {
    for (const name of FLEXIBLE) parameters.delete(name);
    parameters.set('board', holiday.BoardBasis);
  }
  for (const [name, value] of Object.entries({ country, region, resort })) parameters.set(name, value);
  const { DepartureDateTime, DepartureAirportCode } = holiday.FlightDetails.Outbound;
  parameters.set('date', DepartureDateTime.slice(0, 10));
  parameters.set('hotelcode', hotel.code);
  parameters.set('holiday', holiday.ItemKey);
  if (search.airport === null || isBooked) parameters.set('from', DepartureAirportCode);
  if (!parameters.has('nights')) parameters.set('nights', String(holiday.Duration));
  return `/results?${parameters.toString()}`;
}
