import { boardBasisWords } from '../../domain/board-basis.ts';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { formatBriefWeekday, formatPlainDate, monthWords } from '../../domain/day-words.ts';
import { placeName, shortName } from '../../domain/destination.ts';
import { hotelPath } from '../../domain/hotel-path.ts';
import { formatWholePounds } from '../../domain/money.ts';
import { placePath } from '../../domain/place-path.ts';
import { recordOf } from '../inventory/catalogue.ts';
import type { Offer } from '../inventory/offer.ts';
import { type Html, html } from '../lib/html.ts';
import type { LowestPrice } from '../package-search/query/package-repository.ts';
import { breadcrumbs, jsonLd, validUntil } from '../page/json-ld.ts';
import type { Coverage } from '../price-record/place-coverage.ts';
import { type FoundPlace, placesInside } from './find-place.ts';

/** Pixels of the plot's viewBox. */
const PLOT = { width: 720, height: 220, bar: 0.7, foot: 24, head: 24 };

export interface PlaceView extends FoundPlace {
  /** How our ranges held here; null: too little is settled. */
  coverage: Coverage | null;
  brandName: string;
  /** The site's URL for structured data; null: unknown. */
  publicUrl: string | null;
  nowMs: number;
}

export function placeTitle({ names, month, prices }: FoundPlace): string {
  const from =
    prices.length === 0 ? '' : ` from ${formatWholePounds(Math.min(...prices.map(({ price }) => price)))}`;
  return `${shortName(names)} holidays${month === null ? '' : ` in ${monthWords(month)}`}${from}`;
}

/** The HTML of a place's page. */
export function placeView(view: PlaceView): string {
  const { names, month, prices, hotels, hotelCount, catalogue } = view;
  const [cheapest] = [...prices].sort((one, other) => one.price - other.price || one.day - other.day);
  const [country, region, resort] = names;
  const parents = [
    [country, '', ''],
    [country, region, ''],
    [country, region, resort],
  ] as const;
  const trail = parents.filter((each, nth) => each[nth] !== '');
  const inside = placesInside(view, catalogue);
  return html`<main class="place">
<nav aria-label="Places"><ol class="place-trail">${trail.map((each) => html`<li><a class="place-link" href="${placePath(each)}">${shortName(each)}</a></li>`)}${month !== null && html`<li>${monthWords(month)}</li>`}</ol></nav>
<h1>${shortName(names)} holidays${month !== null && ` in ${monthWords(month)}`}</h1>
${
  cheapest === undefined
    ? html`<p>${placeName(names)}: nothing is on sale for two adults and seven nights just now.</p>`
    : html`<p>${placeName(names)}: the lowest prices for two adults and seven nights, flight and hotel, from any UK airport. The lowest is <b>${formatWholePounds(cheapest.price)}</b>, leaving on ${formatPlainDate(fromDayNumber(cheapest.day))}. Charges at the hotel are included where they are known.</p>
<section><h2 id="prices">${month === null ? 'Prices by month' : 'Prices by day'}</h2>
${plot(view)}
${priceTable(view)}
</section>
<section><h2>Cheapest hotels around ${formatPlainDate(fromDayNumber(cheapest.day))}</h2>
<p>${hotelCount === hotels.length ? `All ${hotelCount}` : `The first ${hotels.length} of ${hotelCount}`}, each with its lowest price, ${WITH_CHARGES}.</p>
<ol class="place-hotels">${hotels.map((offer) => hotelItem(view, offer))}</ol>
</section>
${kinds(view)}`
}
${record(view)}
${inside.length > 0 && html`<section><h2>Places in ${shortName(names)}</h2><ul class="place-inside">${inside.map((each) => html`<li><a class="place-link" href="${placePath(each)}">${shortName(each)}</a></li>`)}</ul></section>`}
<p><a class="place-link" href="/">Search your own dates and airport</a></p>
${structuredData(view)}
</main>`.text;
}

/** A bar for each month or day, with its price above it. The table below has the same figures. */
function plot({ prices, month }: PlaceView): Html {
  const highest = Math.max(...prices.map(({ price }) => price));
  const lowest = Math.min(...prices.map(({ price }) => price));
  const step = PLOT.width / prices.length;
  const room = PLOT.height - PLOT.foot - PLOT.head;
  const isNarrow = prices.length > 12;
  const bars = prices.map(({ day, price }, nth) => {
    const height = Math.max(2, (room * price) / highest);
    const top = PLOT.height - PLOT.foot - height;
    const x = nth * step + (step * (1 - PLOT.bar)) / 2;
    const middle = nth * step + step / 2;
    const date = fromDayNumber(day);
    const label = month === null ? monthWords(date).slice(0, 3) : String(Number(date.slice(8)));
    return html`<rect x="${round(x)}" y="${round(top)}" width="${round(step * PLOT.bar)}" height="${round(height)}"${price === lowest && html` class="is-lowest"`}/>${!isNarrow && html`<text class="is-price" x="${round(middle)}" y="${round(top - 6)}">${formatWholePounds(price)}</text>`}${(!isNarrow || nth % 2 === 0) && html`<text x="${round(middle)}" y="${PLOT.height - 6}">${label}</text>`}`;
  });
  return html`<svg class="place-plot" viewBox="0 0 ${PLOT.width} ${PLOT.height}" aria-hidden="true">${bars}</svg>`;
}

function round(number: number): string {
  return number.toFixed(1);
}

function priceTable(view: PlaceView): Html {
  const { prices, month, names } = view;
  const lowest = Math.min(...prices.map(({ price }) => price));
  const rows = prices.map(({ day, price }: LowestPrice) => {
    const date = fromDayNumber(day);
    const what =
      month === null
        ? html`<a class="place-link" href="${placePath(names, date.slice(0, 7))}">${monthWords(date)}</a>`
        : html`${formatBriefWeekday(date)}`;
    return html`<tr${price === lowest && html` class="is-lowest"`}><th scope="row">${what}</th><td>${formatWholePounds(price)}</td><td>${month === null && formatBriefWeekday(date)}</td></tr>`;
  });
  return html`<details${month === null && html` open`}><summary>${month === null ? 'Every month' : 'Every day'}</summary><table class="place-prices"><thead><tr><th scope="col">${month === null ? 'Month' : 'Day'}</th><th scope="col">From</th><th scope="col">${month === null ? 'Leaving' : ''}</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

function hotelItem(view: PlaceView, offer: Offer): Html {
  const { catalogue } = view;
  const hotel = recordOf(catalogue.hotels, offer.hotel);
  const airport = recordOf(catalogue.airports, offer.airport);
  const stars = hotel.halfStars / 2;
  const facts = [
    stars > 0 && `${stars} ${stars === 1 ? 'star' : 'stars'}`,
    boardBasisWords(recordOf(catalogue.boards, offer.board).code),
    `from ${airport.name}`,
    formatBriefWeekday(fromDayNumber(offer.departureDay)),
  ];
  return html`<li class="place-hotel-item"><a class="place-hotel" href="${hotelLink(view, offer)}"><b>${hotel.name}</b> <span class="place-hotel-price">${formatWholePounds(offer.total)}</span></a> <span class="place-hotel-facts">${facts.filter(Boolean).join(', ')}</span></li>`;
}

function hotelLink({ names, catalogue }: PlaceView, offer: Offer): string {
  const { name, code } = recordOf(catalogue.hotels, offer.hotel);
  const parameters = new URLSearchParams({
    from: recordOf(catalogue.airports, offer.airport).code,
    date: fromDayNumber(offer.departureDay),
    nights: String(offer.nights),
  });
  return `${hotelPath(names[0], name, code)}?${parameters.toString()}`;
}

/** Boards and stars of the hotels on the cheapest days. */
function kinds({ facets }: PlaceView): Html | false {
  if (facets === null) return false;
  const boards = facets.boards.map(({ name, count }) => `${name} (${count})`);
  const stars = facets.stars
    .filter(({ from }) => from >= 3 && Number.isInteger(from))
    .map(({ from, count }) => `${from} stars and up (${count})`);
  return html`<section><h2>What there is</h2>
<p>Hotels by board: ${boards.join(', ')}.</p>
<p>By stars: ${stars.join(', ')}.</p></section>`;
}

function record({ coverage, names }: PlaceView): Html | false {
  if (coverage === null) return false;
  const { prices, inRange } = coverage;
  return html`<section><h2>How our verdicts did</h2>
<p>Of ${prices.toLocaleString('en-GB')} prices in ${shortName(names)} that we judged and settled, ${Math.round((100 * inRange) / prices)}% were in the range we gave a week later; we aim for 80%. <a class="place-link" href="/price-record">See our price record</a></p></section>`;
}

/** Where the page is in the site, and the range of its prices, for search engines (schema.org). */
function structuredData(view: PlaceView): Html | false {
  const { names, month, prices, hotelCount, publicUrl, brandName, nowMs } = view;
  if (publicUrl === null) return false;
  const totals = prices.map(({ price }) => price / 100);
  return jsonLd(
    breadcrumbs(publicUrl, names),
    prices.length > 0 && {
      '@type': 'Product',
      name: `Package holidays in ${shortName(names)}${month === null ? '' : ` in ${monthWords(month)}`}`,
      description: `Flight and hotel for two adults and seven nights, compared by ${brandName}.`,
      url: publicUrl + placePath(names, month),
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: 'GBP',
        lowPrice: Math.min(...totals),
        highPrice: Math.max(...totals),
        offerCount: hotelCount,
        priceValidUntil: validUntil(nowMs),
      },
    },
  );
}
