import type { FastifyInstance } from 'fastify';
import type { Airport } from '../../domain/airport.ts';
import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { formatPounds } from '../../domain/money.ts';
import { type PackageHoliday, placePictureOf, toPackageHoliday } from '../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import type { HolidayProvider } from '../feed/map/holiday-providers.ts';
import { httpCaller } from '../http/http-caller.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { photoPaths } from '../inventory/photo-path.ts';
import type { Caller } from '../lib/caller.ts';
import { minuteOf } from '../package-search/fields/search-packages.ts';
import { itemTexts } from '../package-search/items/item-text.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { priceTokens } from '../package-search/tokens/price-token.ts';
import { addStylesheet } from '../page/html-page.ts';
import { headTags, type Site } from '../page/page-head.ts';
import type { PriceAnalyses } from '../price-history/price-analyses.ts';
import { toPriceAnalysisResponse } from '../price-history/price-analysis-response.ts';
import { type FoundHotel, findHotel } from './find-hotel.ts';
import { daysOf, type HotelSearch, readHotelSearch } from './hotel-search.ts';
import { type HotelView, hotelView } from './hotel-view.ts';
import { cheapestOf, priceGrid } from './price-grid.ts';

/** The cost of a page in units of searches: a week of one hotel's packages and a year of its blocks. */
const UNITS = 60;

/** The most packages in the table of one day and board. */
const MAX_ALIKE = 30;

const STYLESHEET = '/hotel.css';

export interface HotelPageOptions {
  repository: PackageRepository;
  priceAnalyses: PriceAnalyses;
  airports: readonly Airport[];
  brandCode: string;
  tokenKey: Uint8Array;
  providers: () => readonly HolidayProvider[];
  site: Site;
  offersAlerts: boolean;
  now: () => number;
}

/** `/hotel/<country>/<name>-<code>`: one hotel, with its packages for a search. */
export async function hotelPagePlugin(app: FastifyInstance, options: HotelPageOptions): Promise<void> {
  const { repository, airports, brandCode, now, site } = options;
  addStylesheet(app, STYLESHEET);
  app.get<{ Params: { country: string; hotel: string } }>(
    '/hotel/:country/:hotel',
    { config: { limit: 'store' } },
    async (request, reply) => {
      const nowMs = now();
      const { country, hotel } = request.params;
      const [path = '', query = ''] = request.url.split('?', 2);
      const search = readHotelSearch(query, airports, todayInLondon(nowMs));
      const caller = { ...httpCaller(request, reply), units: UNITS };
      const found = await findHotel(country, hotel, search, { repository, brandCode, nowMs, caller });
      if (found === null) return reply.callNotFound();
      const view = await viewOf(found, search, path, caller, nowMs);
      const { title, description, image } = preview(view);
      const page = app.writePage({
        title,
        styles: [STYLESHEET],
        main: hotelView(view),
        tags: headTags({ title, description, path, isIndexed: query === '', image }, site),
      });
      if (query !== '') reply.header('x-robots-tag', 'noindex');
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
    },
  );

  async function viewOf(
    found: FoundHotel,
    search: HotelSearch,
    path: string,
    caller: Caller,
    nowMs: number,
  ): Promise<HotelView> {
    const { catalogue, offers, hotel } = found;
    const photos = photoPaths(options.tokenKey);
    const itemText = itemTexts(catalogue, priceTokens(options.tokenKey), photos);
    const codesOf = offerCodes(catalogue);
    const keyOf = (offer: OfferRow) => itemKeyOf(codesOf(offer));
    const holidayOf = (offer: OfferRow) => readHoliday(itemText(offer, minuteOf(nowMs)), brandCode, nowMs);
    const named = offers.find((offer) => keyOf(offer) === search.itemKey);
    const onDay = offers.filter((offer) => offer[OFFER.departureDay] === dayNumber(search.date));
    const offer = named ?? cheapestOf(onDay) ?? cheapestOf(offers);
    const holiday = offer && holidayOf(offer);
    const alike = offers.filter(
      (one) =>
        one[OFFER.departureDay] === offer?.[OFFER.departureDay] && one[OFFER.board] === offer[OFFER.board],
    );
    const days = daysOf(search);
    const drawing = placePictureOf(
      { HolidayCountry: found.country, HolidayRegion: found.region, HolidayResort: found.resort },
      { HotelIdentifierCode: hotel.code, HotelName: hotel.name },
    );
    return {
      ...found,
      search,
      airports,
      path,
      images: hotel.photos ? hotel.photos.split(' ').map(photos.pathOf) : [drawing],
      chosen:
        offer && holiday
          ? { offer, holiday, priceSentence: await priceSentence(holiday.ItemKey, nowMs, caller) }
          : null,
      days,
      grid: priceGrid(offers, days),
      alike: alike.slice(0, MAX_ALIKE).flatMap((one) => {
        const each = holidayOf(one);
        return each === null ? [] : [{ offer: one, holiday: each }];
      }),
      itemKeyOf: keyOf,
      atols: new Map(options.providers().map(({ code, atol }) => [code, atol ?? null])),
      offersAlerts: options.offersAlerts,
    };
  }

  /** What the price history says. Null: nothing yet, or the analyses are busy. */
  async function priceSentence(itemKey: string, nowMs: number, caller: Caller): Promise<string | null> {
    const [analysis] = await options.priceAnalyses.analyse([itemKey], nowMs, caller).catch(() => []);
    return analysis === undefined ? null : toPriceAnalysisResponse(analysis).sentence;
  }
}

/** The package as a page reads it from a search's answer. */
function readHoliday(itemText: string, brandCode: string, nowMs: number): PackageHoliday | null {
  const parsed = parsePackageSearchItem(JSON.parse(itemText));
  if (parsed.kind === 'refused') return null;
  return toPackageHoliday(parsed.item, { mappedAt: new Date(nowMs).toISOString(), brandCode });
}

function preview({ hotel, resort, country, chosen, images }: HotelView) {
  const place = [...new Set([resort, country])].join(', ');
  const price = chosen === null ? null : formatPounds(chosen.holiday.PriceDetails.TotalPrice);
  const [image = ''] = images;
  return {
    title: `${hotel.name}, ${resort}${price === null ? '' : ` from ${price}`}`,
    description: `${hotel.name} in ${place}: package holidays with flights, prices by day, board and provider, and when it is cheapest.`,
    image: image.startsWith('/photos?') ? `${image}&w=960` : null,
  };
}
