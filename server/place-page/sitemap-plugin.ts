import type { FastifyInstance, FastifyRequest } from 'fastify';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { hotelPath, slugOf } from '../../domain/hotel-path.ts';
import { httpCaller } from '../http/http-caller.ts';
import { FEEDS_NOTE } from '../inventory/inventory-notes.ts';
import { escapeHtml } from '../lib/html.ts';
import type { Charge } from '../package-search/graphql/allowance.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { INDEXED_PATHS } from '../page/shell-routes.ts';
import { indexedPlaces } from './find-place.ts';
import { isRefused, isUnchanged, PLACE_UNITS } from './place-page-plugin.ts';

/** The most URLs of a file (https://www.sitemaps.org/protocol.html). */
const MAX_URLS = 50_000;

const PAGES = [...INDEXED_PATHS, '/privacy', '/terms', '/how-we-price', '/price-record'];

export interface SitemapOptions {
  repository: PackageRepository;
  airportCodes: string[];
  brandCode: string;
  charge: Charge;
  publicUrl: string | null;
  /** Without `PUBLIC_URL`, only development has a sitemap, with the host of the request. */
  isProduction: boolean;
  now: () => number;
}

/** `/robots.txt`, and `/sitemap.xml` with a part for the site's own pages and one for each country. */
export async function sitemapPlugin(app: FastifyInstance, options: SitemapOptions): Promise<void> {
  const { repository, airportCodes, brandCode, charge, publicUrl, isProduction, now } = options;
  const siteOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;
  const hasSitemap = publicUrl !== null || !isProduction;

  // Let crawlers read results, because a page that they may not read can be listed despite its `noindex`.
  app.get('/robots.txt', (request, reply) => {
    const lines = ['User-agent: *', 'Disallow: /graphql', 'Disallow: /my-alerts'];
    if (hasSitemap) lines.push(`Sitemap: ${siteOf(request)}/sitemap.xml`);
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
  if (!hasSitemap) return;

  app.get('/sitemap.xml', { config: { limit: 'store' } }, async (request, reply) => {
    const nowMs = now();
    if (await isUnchanged(request, reply, repository, nowMs)) return reply.code(304).send();
    const { countries } = await repository.catalogue();
    const names = ['pages', ...[...countries.values()].map(({ name }) => `holidays-${slugOf(name)}`)];
    const changed = await changedAt(nowMs);
    return reply.type('application/xml; charset=utf-8').send(
      document(
        'sitemapindex',
        'sitemap',
        names.map((name, nth) => [`${siteOf(request)}/sitemap/${name}.xml`, nth === 0 ? null : changed]),
      ),
    );
  });

  app.get('/sitemap/pages.xml', (request, reply) =>
    reply.type('application/xml; charset=utf-8').send(
      document(
        'urlset',
        'url',
        PAGES.map((path) => [siteOf(request) + path, null]),
      ),
    ),
  );

  app.get<{ Params: { country: string } }>(
    '/sitemap/holidays-:country.xml',
    { config: { limit: 'store' } },
    async (request, reply) => {
      const nowMs = now();
      if (await isUnchanged(request, reply, repository, nowMs)) return reply.code(304).send();
      if (isRefused(request, reply, charge)) return reply;
      const caller = { ...httpCaller(request, reply), units: PLACE_UNITS };
      const { country: slug } = request.params;
      const places = await indexedPlaces(slug, { repository, brandCode, airportCodes, nowMs, caller });
      if (places === null) return reply.removeHeader('etag').callNotFound();
      const { country, paths } = places;
      const hotels = await hotelsIn(country.country);
      const changed = await changedAt(nowMs);
      const urls = [...paths, ...hotels.map(({ name, code }) => hotelPath(country.names[0], name, code))];
      return reply.type('application/xml; charset=utf-8').send(
        document(
          'urlset',
          'url',
          urls.slice(0, MAX_URLS).map((path) => [siteOf(request) + path, changed]),
        ),
      );
    },
  );

  async function hotelsIn(country: number) {
    const { regions, resorts } = await repository.catalogue();
    const inCountry = [...resorts.values()].filter(({ region }) => regions.get(region)?.country === country);
    return repository.hotelsBy({ resort: inCountry.map(({ id }) => id) });
  }

  /** The time of the last import. The sample has none: its prices change every day. */
  async function changedAt(nowMs: number): Promise<string> {
    const note = (await repository.readNote(FEEDS_NOTE)) ?? '';
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(note)?.[0] ?? todayInLondon(nowMs);
  }
}

function document(
  root: string,
  item: string,
  urls: readonly (readonly [url: string, changed: string | null])[],
) {
  const items = urls.map(
    ([url, changed]) =>
      `<${item}><loc>${escapeHtml(url)}</loc>${changed === null ? '' : `<lastmod>${changed}</lastmod>`}</${item}>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${items.join('\n')}
</${root}>
`;
}
