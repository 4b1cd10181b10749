import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AIRPORTS_LIST, type Brand, LOCATIONS_LIST } from './brand-folder.ts';
import { addBrandedShells, addBrandFiles } from './brand-routes.ts';
import type { PaintedBrand } from './fill-shell.ts';

/** The page's own addresses, all three the one page (Section 2), and the file whose shell each is painted from. */
const PAGE_ADDRESSES = { '/': 'index.html', '/results': 'results.html', '/alerts': 'index.html' };

const A_YEAR = 'public, max-age=31536000, immutable';

/** Kept, but asked for anew each time: the entity tag says whether it changed. */
const ASK_AGAIN = 'no-cache';

/** A bundler's hash before the ending. Eight small letters alone are a word, such as -calendar. */
const HASHED_NAME = /-(?=[\w-]*[\dA-Z_])[\w-]{8}\.\w+$/;

export interface PageFolders {
  /** The built page, or null where there is none. */
  page: string | null;
  /** The lists of places and airports, and what else is shipped with the server. */
  lists: string;
}

/** The built page and the lists, in the brand's look and with the brand's own lists where it has some. Files with a `.br` or `.gz` beside them are sent as those. */
export async function addPageRoutes(
  app: FastifyInstance,
  folders: PageFolders,
  brand: Brand,
  painted: PaintedBrand,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: folders.lists,
    serve: false,
    cacheControl: false,
    preCompressed: true,
  });
  const lists = { [LOCATIONS_LIST]: brand.lists.locations, [AIRPORTS_LIST]: brand.lists.airports };
  for (const [list, folder] of Object.entries(lists)) {
    app.get(`/data/${list}`, (_request, reply) => {
      reply.header('cache-control', ASK_AGAIN);
      return reply.sendFile(list, folder ?? folders.lists);
    });
  }
  addBrandFiles(app, brand, painted);

  const page = folders.page;
  if (page === null || !existsSync(join(page, 'index.html'))) {
    const missing = (reply: FastifyReply) =>
      reply.code(503).send({ error: 'The page has not been built: run npm run build.' });
    for (const address of Object.keys(PAGE_ADDRESSES)) app.get(address, (_request, reply) => missing(reply));
    return;
  }
  const isBranded = await addBrandedShells(app, page, painted);
  for (const [address, file] of Object.entries(isBranded ? {} : PAGE_ADDRESSES)) {
    app.get(address, (_request, reply) => {
      reply.header('cache-control', ASK_AGAIN);
      return reply.sendFile(file, page);
    });
  }
  await app.register(fastifyStatic, {
    root: page,
    decorateReply: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, path) {
      const name = path.replace(/\.(br|gz)$/, '');
      reply.header('cache-control', HASHED_NAME.test(name) ? A_YEAR : ASK_AGAIN);
    },
  });
}
