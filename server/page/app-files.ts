import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { fillServiceWorker, SERVICE_WORKER } from './offline-files.ts';

/** The paths of the manifest, and of its icons by width in pixels. */
export const MANIFEST_PATH = '/manifest.webmanifest';
export const ICON_PATHS: ReadonlyMap<number, string> = new Map([
  [192, '/brand/icon-192.png'],
  [512, '/brand/icon-512.png'],
]);

/** The logo's share of an icon's width. Masks may cut off all but the middle 80%. */
const LOGO_PART = 0.58;

/** High enough for a logo of 40 pixels to fill the largest icon. */
const SVG_DENSITY = 576;

/** Match the light theme's sky colour in a filled document, and the URL of the page's own logo. */
const SKY = /<meta name="theme-color" content="(#[\da-f]{6})"/i;
const ICON = /<link rel="icon" href="([^"]+)"/;

export interface AppFile {
  type: string;
  content: () => string | Promise<Buffer>;
}

export interface AppOptions {
  builtPage: string;
  brandName: string;
  /** The brand's logo. Null: the page's own. */
  logo: Buffer | null;
  /** The page's filled documents by URL, '/' first. */
  documents: ReadonlyMap<string, string>;
  /** URLs of the brand's files. */
  brandUrls: readonly (string | null)[];
}

/** The files with which the page is installed and used offline, by path: manifest, icons and service worker. */
export function appFiles({
  builtPage,
  brandName,
  logo,
  documents,
  brandUrls,
}: AppOptions): ReadonlyMap<string, AppFile> {
  const home = documents.get('/') ?? '';
  const sky = SKY.exec(home)?.[1] ?? '#ffffff';
  const ownLogo = () => readFileSync(join(builtPage, ICON.exec(home)?.[1] ?? ''));
  const manifest = appManifest(brandName, sky);
  const worker = fillServiceWorker(builtPage, documents, brandUrls);
  return new Map<string, AppFile>([
    [MANIFEST_PATH, { type: 'application/manifest+json', content: () => manifest }],
    [`/${SERVICE_WORKER}`, { type: 'text/javascript; charset=utf-8', content: () => worker }],
    ...[...ICON_PATHS].map(([size, path]): [string, AppFile] => [
      path,
      { type: 'image/png', content: () => appIcon(logo ?? ownLogo(), sky, size) },
    ]),
  ]);
}

export function addAppRoutes(app: FastifyInstance, files: ReadonlyMap<string, AppFile>): void {
  for (const [path, { type, content }] of files) {
    let made: ReturnType<AppFile['content']> | null = null;
    app.get(path, async (_request, reply) => {
      reply.type(type).header('cache-control', 'no-cache');
      try {
        made ??= content();
        return reply.send(await made);
      } catch (error) {
        // The next request tries again.
        made = null;
        throw error;
      }
    });
  }
}

/** The web app manifest (https://www.w3.org/TR/appmanifest/). */
function appManifest(brandName: string, sky: string): string {
  return JSON.stringify({
    id: '/',
    name: brandName,
    short_name: brandName,
    lang: 'en-GB',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: sky,
    theme_color: sky,
    icons: [...ICON_PATHS].map(([size, src]) => ({
      src,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  });
}

/** A PNG with a logo in the middle, on the sky colour. */
async function appIcon(logo: Buffer, sky: string, size: number): Promise<Buffer> {
  // Loaded on demand, because few requests need it.
  const { default: sharp } = await import('sharp');
  const inner = Math.round((size * LOGO_PART) / 2) * 2;
  const edge = (size - inner) / 2;
  return sharp(logo, { density: SVG_DENSITY })
    .resize(inner, inner, { fit: 'contain', background: sky })
    .flatten({ background: sky })
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background: sky })
    .png()
    .toBuffer();
}
