import type { FastifyInstance } from 'fastify';
import type { Airport } from '../../domain/airport.ts';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { formatPounds } from '../../domain/money.ts';
import type { HolidayProvider } from '../feed/map/holiday-providers.ts';
import { httpCaller } from '../http/http-caller.ts';
import { html } from '../lib/html.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { addStylesheet } from '../page/html-page.ts';
import { headTags, type Site } from '../page/page-head.ts';
import { shareImage } from '../page/share-images.ts';
import type { PriceAnalyses } from '../price-history/price-analyses.ts';
import { findHotel } from './find-hotel.ts';
import { type HotelFacts, hotelFacts } from './hotel-facts.ts';
import { readHotelSearch } from './hotel-search.ts';
import { HOTEL_SCRIPT, hotelView } from './hotel-view.ts';
import type { MapTiles } from './hotel-where.ts';

/** The cost of a page in units of searches: a week of one hotel's packages and a year of its blocks. */
export const HOTEL_UNITS = 60;

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
  /** The widget's script; null: no widget and no price history. */
  priceAnalysisUrl: string | null;
  mapTiles: MapTiles;
  now: () => number;
}

/** `/hotel/<country>/<name>-<code>`: one hotel, with its packages for a search. */
export async function hotelPagePlugin(app: FastifyInstance, options: HotelPageOptions): Promise<void> {
  const { repository, airports, brandCode, now, site } = options;
  addStylesheet(app, STYLESHEET);
  const urls = [HOTEL_SCRIPT, ...(options.priceAnalysisUrl === null ? [] : [options.priceAnalysisUrl])];
  const scripts = urls.map((url) => html`<script type="module" src="${url}"></script>`.text);
  app.get<{ Params: { country: string; hotel: string } }>(
    '/hotel/:country/:hotel',
    { config: { limit: 'store' } },
    async (request, reply) => {
      const nowMs = now();
      const { country, hotel } = request.params;
      const [path = '', query = ''] = request.url.split('?', 2);
      const search = readHotelSearch(query, airports, todayInLondon(nowMs));
      const caller = { ...httpCaller(request, reply), units: HOTEL_UNITS };
      const found = await findHotel(country, hotel, search, { repository, brandCode, nowMs, caller });
      if (found === null) return reply.callNotFound();
      const facts = await hotelFacts(found, search, { ...options, nowMs, caller });
      const { title, description, image } = preview(facts);
      const page = app.writePage({
        title,
        styles: [STYLESHEET],
        main: hotelView({
          ...facts,
          airports,
          path,
          atols: new Map(options.providers().map(({ code, atol }) => [code, atol ?? null])),
          offersAlerts: options.offersAlerts,
          publicUrl: site.publicUrl,
          offersHistory: options.priceAnalysisUrl !== null,
          nowMs,
          pageScript: app.pageScript,
          positions: await repository.resortPositions(found.catalogue.version),
          mapTiles: options.mapTiles,
        }),
        tags: [...headTags({ title, description, path, isIndexed: query === '', image }, site), ...scripts],
      });
      if (query !== '') reply.header('x-robots-tag', 'noindex');
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
    },
  );
}

function preview({ hotel, resort, country, chosen, images }: HotelFacts) {
  const place = [...new Set([resort, country])].join(', ');
  const price = chosen === null ? null : formatPounds(chosen.holiday.PriceDetails.TotalPrice);
  const [image = ''] = images;
  return {
    title: `${hotel.name}, ${resort}${price === null ? '' : ` from ${price}`}`,
    description: `${hotel.name} in ${place}: package holidays with flights, prices by day, board and provider, and when it is cheapest.`,
    image: shareImage(image),
  };
}
