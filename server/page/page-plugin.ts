import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseAirports } from '../../domain/airport.ts';
import { parseDestinations } from '../../domain/destination.ts';
import type { OtherNames } from '../../domain/other-names.ts';
import { PAGE_PATHS } from '../../domain/page-paths.ts';
import { OPEN_TO_ANY_PAGE } from '../http/security-headers.ts';
import { addAppRoutes, appFiles } from './app-files.ts';
import { AIRPORTS_LIST, type Brand, LOCATIONS_LIST, readOtherNames } from './brand-folder.ts';
import { addBrandFiles } from './brand-routes.ts';
import type { PaintedBrand } from './fill-shell.ts';
import type { PageFolders } from './html-page.ts';
import { addListRoutes } from './list-routes.ts';
import type { Operator } from './operator.ts';
import type { PreviewLists } from './search-preview.ts';
import { addShareImages } from './share-images.ts';
import { addShellRoutes, type DescribeSearch } from './shell-routes.ts';
import { addSitePages } from './site-pages.ts';

/** The page's URLs (Section 2, Explore's and the shortlist's). */
export const PAGE_URLS: readonly string[] = PAGE_PATHS;

const A_YEAR = 'public, max-age=31536000, immutable';

/** Browsers may cache the response, but revalidate it by entity tag on each use. */
const REVALIDATE = 'no-cache';

/** Matches a bundler's hash before the extension. Eight lower-case letters are a word, such as -calendar. */
const HASHED_NAME = /-(?=[\w-]*[\dA-Z_])[\w-]{8}\.\w+$/;

export interface PageOptions {
  folders: PageFolders;
  brand: Brand;
  painted: PaintedBrand;
  /** `PUBLIC_URL` without a final slash; null if it is not set. */
  publicUrl: string | null;
  operator: Operator;
  lists: PreviewLists;
  describeSearch: DescribeSearch;
  now: () => number;
}

/**
 * Serves the page, the site's own pages, and the brand's or default lists. Prefers precompressed `.br` and `.gz`
 * files.
 */
export async function pagePlugin(app: FastifyInstance, options: PageOptions): Promise<void> {
  const { folders, brand, painted, publicUrl, operator, lists, describeSearch } = options;
  const { name: brandName, logoUrl, styleUrl } = painted;
  addSitePages(app, { brandName, publicUrl, operator, logoUrl, now: options.now });
  addListRoutes(app, {
    [LOCATIONS_LIST]: brand.lists.locations ?? folders.lists,
    [AIRPORTS_LIST]: brand.lists.airports ?? folders.lists,
  });
  addBrandFiles(app, brand, painted);

  const page = folders.page;
  if (page === null || !existsSync(join(page, 'index.html'))) {
    const missing = (reply: FastifyReply) =>
      reply.code(503).send({ error: 'The page has not been built: run npm run build.' });
    for (const url of PAGE_URLS) app.get(url, (_request, reply) => missing(reply));
    return;
  }
  const site = { brandName, publicUrl, contactEmail: operator.email };
  const documents = await addShellRoutes(app, { builtPage: page, painted, site, lists, describeSearch });
  addShareImages(app, page);
  const logo = brand.logo?.content ?? null;
  addAppRoutes(
    app,
    appFiles({ builtPage: page, brandName, logo, documents, brandUrls: [logoUrl, styleUrl] }),
  );
  const widget = join(page, 'widget', sep);
  await app.register(fastifyStatic, {
    root: page,
    decorateReply: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, path) {
      const name = path.replace(/\.(br|gz)$/, '');
      reply.header('cache-control', HASHED_NAME.test(name) ? A_YEAR : REVALIDATE);
      // The widget runs on pages of any host, and shares its route with the page's files.
      if (path.startsWith(widget)) reply.headers(OPEN_TO_ANY_PAGE);
    },
  });
}

/** The brand's alternative names of places, or the default ones. */
export function otherNamesOf(brand: Brand, folders: PageFolders): OtherNames {
  return brand.otherNames ?? readOtherNames(folders.lists) ?? {};
}

/** The brand's lists of places and airports, or the default ones. */
export function previewLists(folders: PageFolders, { lists }: Brand): PreviewLists {
  const read = (folder: string | null, name: string) => {
    const path = join(folder ?? folders.lists, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  };
  const locations = read(lists.locations, LOCATIONS_LIST);
  return {
    destinations: locations === null ? [] : parseDestinations(locations),
    airports: parseAirports(read(lists.airports, AIRPORTS_LIST) ?? ''),
  };
}
