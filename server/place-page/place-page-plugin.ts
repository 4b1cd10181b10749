import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { placePath } from '../../domain/place-path.ts';
import { placePicture } from '../../domain/place-picture.ts';
import { httpCaller } from '../http/http-caller.ts';
import { PRICE_RECORD_PLACES, PRICE_RECORD_ROOT } from '../inventory/inventory-notes.ts';
import type { Charge } from '../package-search/graphql/allowance.ts';
import { tooMany } from '../package-search/graphql/ask-search.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { addStylesheet } from '../page/html-page.ts';
import { headTags, type Site } from '../page/page-head.ts';
import { shareImage } from '../page/share-images.ts';
import { coverageIn } from '../price-record/place-coverage.ts';
import { findPlace, isInside } from './find-place.ts';
import { placeTitle, placeView } from './place-view.ts';

/** In units of searches: the price blocks of a country for a year. */
export const PLACE_UNITS = 400;

const STYLESHEET = '/place.css';

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export interface PlacePageOptions {
  repository: PackageRepository;
  /** All departure airports. */
  airportCodes: string[];
  brandCode: string;
  charge: Charge;
  site: Site;
  now: () => number;
}

/** Answers with 429 if the client has used up its allowance of searches. True: it has. */
export function isRefused(request: FastifyRequest, reply: FastifyReply, charge: Charge): boolean {
  const seconds = charge(httpCaller(request, reply).client, PLACE_UNITS);
  if (seconds > 0)
    reply
      .removeHeader('etag')
      .code(429)
      .header('retry-after', String(seconds))
      .send({ error: tooMany(seconds) });
  return seconds > 0;
}

/** Sends the entity tag of this day and this state of inventory and price record. True: the client has that version. */
export async function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  repository: PackageRepository,
  nowMs: number,
): Promise<boolean> {
  const [inventory, root] = [
    await repository.inventoryVersion(),
    await repository.readNote(PRICE_RECORD_ROOT),
  ];
  const version = `${inventory} ${root} ${todayInLondon(nowMs)} ${request.host} ${request.url}`;
  const etag = `W/"${createHash('sha256').update(version).digest('hex').slice(0, 16)}"`;
  reply.header('cache-control', 'no-cache').header('etag', etag);
  return request.headers['if-none-match'] === etag;
}

/** `/holidays/<country>/<region>/<resort>` and `.../<month>`: a place's lowest prices and hotels. */
export async function placePagePlugin(
  app: FastifyInstance,
  { repository, airportCodes, brandCode, charge, site, now }: PlacePageOptions,
): Promise<void> {
  addStylesheet(app, STYLESHEET);
  app.get<{ Params: { '*': string } }>(
    '/holidays/*',
    { config: { limit: 'store' } },
    async (request, reply) => {
      const nowMs = now();
      const parts = request.params['*'].split('/').filter((part) => part !== '');
      const month = MONTH.test(parts.at(-1) ?? '') ? (parts.pop() ?? null) : null;
      if (parts.length === 0 || parts.length > 3) return reply.callNotFound();
      if (await isUnchanged(request, reply, repository, nowMs)) return reply.code(304).send();
      if (isRefused(request, reply, charge)) return reply;
      const caller = { ...httpCaller(request, reply), units: PLACE_UNITS };
      const found = await findPlace(parts, month, { repository, brandCode, airportCodes, nowMs, caller });
      if (found === null) return reply.removeHeader('etag').callNotFound();
      const note = await repository.readNote(PRICE_RECORD_PLACES);
      const coverage = coverageIn(note, (resort) => isInside(found, resort));
      const title = placeTitle(found);
      const description = `${title}: lowest prices by ${month === null ? 'month' : 'day'} for two adults and seven nights, flight and hotel included, and the cheapest hotels.`;
      const [country, region, resort] = found.names;
      const image = shareImage(placePicture({ country, region, resort, hotel: '' }));
      const page = app.writePage({
        title,
        styles: [STYLESHEET],
        main: placeView({ ...found, coverage, brandName: site.brandName, publicUrl: site.publicUrl, nowMs }),
        tags: headTags(
          { title, description, path: placePath(found.names, month), isIndexed: found.isIndexed, image },
          site,
        ),
      });
      return reply.type('text/html; charset=utf-8').send(page);
    },
  );
}
