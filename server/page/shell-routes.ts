import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { linkParameters } from '../../domain/link-parameters.ts';
import { httpCaller } from '../http/http-caller.ts';
import type { Caller } from '../lib/caller.ts';
import { escapeHtml } from '../lib/html.ts';
import { fillShell, type PaintedBrand } from './fill-shell.ts';
import { fillHead, type PageHead, type Site } from './page-head.ts';
import { type Precompressed, precompress, sendPrecompressed } from './precompressed.ts';
import { type PreviewLists, searchPreview } from './search-preview.ts';
import { shareImage } from './share-images.ts';

const SEARCH = {
  title: 'Find a package holiday',
  description: 'Search package holidays, flight plus hotel, and compare their prices.',
  path: '/',
  isIndexed: true,
};
const RESULTS = { ...SEARCH, title: 'Holiday results', path: '/results', isIndexed: false };

/** The page's URLs (Section 2, Explore's and the shortlist's), with the prerendered file and the head of each. */
const SHELLS: readonly { url: string; file: string; head: PageHead }[] = [
  { url: '/', file: 'index.html', head: SEARCH },
  { url: '/alerts', file: 'index.html', head: SEARCH },
  { url: '/results', file: 'results.html', head: RESULTS },
  {
    url: '/explore',
    file: 'explore.html',
    head: {
      title: 'Explore holidays by price',
      description:
        'Anywhere, any time: the lowest price for each place from your airport, flight and hotel included.',
      path: '/explore',
      isIndexed: true,
    },
  },
  {
    url: '/shortlist',
    file: 'shortlist.html',
    head: {
      ...RESULTS,
      title: 'Your shortlist',
      description: 'Saved package holidays side by side.',
      path: '/shortlist',
    },
  },
  {
    url: '/accessibility.html',
    file: 'accessibility.html',
    head: {
      title: 'Accessibility',
      description: 'How accessible this site is, and how to report a problem.',
      path: '/accessibility.html',
      isIndexed: true,
    },
  },
];

/** The paths that search engines may list. */
export const INDEXED_PATHS = [
  ...new Set(SHELLS.filter(({ head }) => head.isIndexed).map(({ head }) => head.path)),
];

const HTML = 'text/html; charset=utf-8';

/** Each takes about 30 kB. */
const MAX_SHARED = 200;

/** `image` is the path of a photo or of a drawn place; null: the site's picture. */
type Preview = Pick<PageHead, 'title' | 'description'> & { image: string | null };

/** Describes a shared search, by its `words` and its URL's query; null if it has no holidays to describeSearch. */
export type DescribeSearch = (words: string, query: string, caller: Caller) => Promise<Preview | null>;

export interface ShellOptions {
  /** The folder of the built page. Its templates, with the brand's placeholders, are in `../shell`. */
  builtPage: string;
  painted: PaintedBrand;
  site: Site;
  lists: PreviewLists;
  describeSearch: DescribeSearch;
}

/**
 * Serves the page with brand and head inserted. If a search is shared, the head describes it. Resolves with the
 * documents by URL.
 */
export async function addShellRoutes(
  app: FastifyInstance,
  { builtPage, painted, site, lists, describeSearch }: ShellOptions,
): Promise<ReadonlyMap<string, string>> {
  const documents = new Map<string, string>();
  const templates = join(builtPage, '../shell');
  const folder = existsSync(join(templates, 'index.html')) ? templates : builtPage;
  for (const { url, file, head } of SHELLS) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    const template = fillContact(fillShell(readFileSync(path, 'utf8'), painted), site.contactEmail ?? null);
    const html = fillHead(template, head, site);
    documents.set(url, html);
    const shell = await precompress(html, { type: HTML, quality: 11 });
    const shared = sharedPages((preview) =>
      fillHead(template, { ...head, ...preview, image: preview.image && shareImage(preview.image) }, site),
    );
    app.get(url, { compress: false }, async (request, reply) => {
      if (!head.isIndexed) reply.header('x-robots-tag', 'noindex');
      const words = head === RESULTS ? searchPreview(parametersOf(request.url), lists) : null;
      if (words === null) return sendPrecompressed(request, reply, shell);
      const found = await describeSearch(words, request.url.split('?')[1] ?? '', httpCaller(request, reply));
      const preview = found ?? {
        title: words,
        description: `Package holidays to ${words}: compare prices, flight and hotel included.`,
        image: null,
      };
      return sendPrecompressed(request, reply, await shared.forceFetch(JSON.stringify(preview)));
    });
  }
  return documents;
}

/** The pages of the searches shared last, by their preview as JSON. Compressed quickly, because links differ by day and place. */
function sharedPages(htmlOf: (preview: Preview) => string): LRUCache<string, Precompressed> {
  return new LRUCache({
    max: MAX_SHARED,
    fetchMethod: (preview) => precompress(htmlOf(JSON.parse(preview) as Preview), { type: HTML, quality: 5 }),
  });
}

/** Puts the operator's address into the accessibility statement. */
export function fillContact(template: string, email: string | null): string {
  const address = email === null ? null : escapeHtml(email);
  return template.replace(/<span data-contact>[^<]*<\/span>/, (unset) =>
    address === null ? unset : `Write to <a href="mailto:${address}">${address}</a>.`,
  );
}

function parametersOf(url: string): URLSearchParams {
  const query = url.indexOf('?');
  return new URLSearchParams(linkParameters(new URLSearchParams(query < 0 ? '' : url.slice(query))));
}
