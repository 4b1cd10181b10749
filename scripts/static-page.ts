import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type InlineStyle, inlineStyles } from '../server/http/inline-styles.ts';
import { pagePolicy } from '../server/http/security-headers.ts';
import { appFiles } from '../server/page/app-files.ts';
import { AIRPORTS_LIST, type Brand, LOCATIONS_LIST } from '../server/page/brand-folder.ts';
import { paintedBrand } from '../server/page/brand-routes.ts';
import { brandStyle } from '../server/page/brand-style.ts';
import { fillShell, type PaintedBrand } from '../server/page/fill-shell.ts';
import { htmlPages } from '../server/page/html-page.ts';
import { fillContact } from '../server/page/shell-routes.ts';
import { type PageConfig, parsePageConfig } from '../web/config/page-config.ts';
import { compress } from './precompress.ts';

export interface StaticPage {
  /** The folder of the built page. Its templates are in `../shell`. */
  built: string;
  /** The URL of the search service. */
  server: string;
  brand: Brand;
  /** A folder that is new or empty. */
  target: string;
}

/**
 * Writes the page as static files for any host, with a brand and the URL and configuration of a Skylark
 * server. Resolves with the Content-Security-Policy to send. Throws if `target` is not empty, or if the
 * server does not respond.
 */
export async function writeStaticPage({ built, server, brand, target }: StaticPage): Promise<string> {
  await mkdir(target, { recursive: true });
  if ((await readdir(target)).length > 0) throw new Error(`${target} is not empty: name a new folder`);
  const config = await configFor(server, brand);
  await cp(built, target, { recursive: true });
  const painted = paintedBrand(config.brandName, brand);
  const documents = new Map<string, string>();
  for (const [file, urls] of Object.entries(DOCUMENTS)) {
    const template = await readFile(join(built, '../shell', file), 'utf8');
    const html = fillContact(fillShell(template, painted), contactOf(config));
    for (const url of urls) documents.set(url, html);
    await put(target, file, html);
  }
  const brandUrls = [painted.logoUrl, painted.styleUrl];
  const logo = brand.logo?.content ?? null;
  const app = appFiles({ builtPage: built, brandName: painted.name, logo, documents, brandUrls });
  for (const [path, { content }] of app) await put(target, path, await content());
  await putLegalPages(built, server, painted, target);
  if (brand.logo !== null) await put(target, brand.logo.url, brand.logo.content);
  if (brand.colours !== null && painted.styleUrl !== null) {
    await put(target, painted.styleUrl, brandStyle(brand.colours));
  }
  await put(target, '/data/locations.csv', await listFor(server, brand.lists.locations, LOCATIONS_LIST));
  await put(
    target,
    '/data/departure-airports.csv',
    await listFor(server, brand.lists.airports, AIRPORTS_LIST),
  );
  await put(target, '/config.json', `${JSON.stringify(config, null, 2)}\n`);
  return policyFor(config, inlineStyles(built));
}

/** The page's documents, and their URLs (docs/static-page.md). */
const DOCUMENTS = {
  'index.html': ['/', '/alerts'],
  'results.html': ['/results'],
  'explore.html': ['/explore'],
  'shortlist.html': ['/shortlist'],
  'accessibility.html': ['/accessibility.html'],
};

/** The server's legal pages, to which alerts and the exported site link. */
const LEGAL_PAGES = ['privacy', 'terms', 'how-we-price'];
const LEGAL_LINKS = new RegExp(`href="/(${LEGAL_PAGES.join('|')})"`, 'g');

async function putLegalPages(
  built: string,
  server: string,
  painted: PaintedBrand,
  target: string,
): Promise<void> {
  const write = htmlPages(built, painted);
  for (const page of LEGAL_PAGES) {
    const html = await textOf(new URL(`/${page}`, server));
    const [main = ''] = /<main[\s>].*<\/main>/s.exec(html) ?? [];
    const title = /<h1>([^<]*)<\/h1>/.exec(main)?.[1] ?? '';
    const linked = main
      .replaceAll(LEGAL_LINKS, 'href="/$1.html"')
      .replaceAll('href="/price-record"', `href="${new URL('/price-record', server).href}"`);
    await put(target, `${page}.html`, write({ title, styles: [], main: linked }));
  }
  await put(target, 'plain.css', await textOf(new URL('/plain.css', server)));
}

/** The email address in the footer, for the accessibility statement. Null if the footer has none. */
function contactOf({ footerLinks }: PageConfig): string | null {
  const link = footerLinks.find(({ url }) => url.startsWith('mailto:'));
  return link === undefined ? null : link.url.slice('mailto:'.length);
}

/** The server's configuration, with absolute URLs and the brand's texts. */
async function configFor(
  server: string,
  { variables, logo, colours, footerText, footerLinks, otherNames }: Brand,
): Promise<PageConfig> {
  const served = parsePageConfig(JSON.parse(await textOf(new URL('/config.json', server))));
  const absolute = (url: string | null) => (url === null ? null : new URL(url, server).href);
  const conversation = served.conversationEndpoint;
  const widget = variables.PRICE_ANALYSIS_URL ?? served.priceAnalysisUrl;
  return {
    ...served,
    searchEndpoint: absolute(served.searchEndpoint) ?? served.searchEndpoint,
    // The page appends a path to this URL.
    conversationEndpoint: conversation === '' ? new URL(server).origin : conversation,
    visitsEndpoint: absolute(served.visitsEndpoint),
    vitalsEndpoint: absolute(served.vitalsEndpoint),
    locationsUrl: '/data/locations.csv',
    departureAirportsUrl: '/data/departure-airports.csv',
    otherNames: otherNames ?? served.otherNames,
    brandName: variables.BRAND_NAME ?? served.brandName,
    brandCode: variables.BRAND_CODE ?? served.brandCode,
    providerName: variables.PROVIDER_NAME ?? served.providerName,
    providerUrl: variables.PROVIDER_URL ?? served.providerUrl,
    priceAnalysisUrl: widget === 'none' ? null : widget,
    brandLogoUrl: logo?.url ?? null,
    brandColours: colours,
    footerText,
    // An exported page cannot follow the record, which grows every day.
    priceRecordRoot: null,
    footerLinks: (footerLinks ?? served.footerLinks).map(({ text, url }) => ({
      text,
      url: LEGAL_PAGES.some((page) => url === `/${page}`) ? `${url}.html` : url,
    })),
  };
}

async function listFor(server: string, folder: string | null, name: string): Promise<string> {
  return folder === null ? textOf(new URL(`/data/${name}`, server)) : readFile(join(folder, name), 'utf8');
}

async function textOf(url: URL): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} responded with ${response.status}`);
  return response.text();
}

async function put(target: string, path: string, content: string | Buffer): Promise<void> {
  const file = join(target, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  await compress(file);
}

function policyFor(config: PageConfig, styles: readonly InlineStyle[]): string {
  const { searchEndpoint, conversationEndpoint, visitsEndpoint, vitalsEndpoint, priceAnalysisUrl, mapTiles } =
    config;
  const called = [
    searchEndpoint,
    conversationEndpoint,
    visitsEndpoint,
    vitalsEndpoint,
    mapTiles?.url ?? null,
  ];
  const directives = pagePolicy(
    priceAnalysisUrl,
    called.map((url) => url ?? ''),
    styles,
  );
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}
