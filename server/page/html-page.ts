import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { inlineStyles } from '../http/inline-styles.ts';
import { escapeHtml } from '../lib/html.ts';
import { fillShell, type PaintedBrand } from './fill-shell.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Renders a page in the site's style. */
    writePage(page: HtmlPage): string;
    /** The URL of the built page's script; null: not built. */
    pageScript: string | null;
  }
}

export interface PageFolders {
  /** The folder of the built page; null if there is none. */
  page: string | null;
  /** The folder of the default lists, and of the stylesheets of the pages that the server renders. */
  lists: string;
}

/** A page that the server renders. */
export interface HtmlPage {
  title: string;
  description?: string;
  /** URLs of stylesheets to load after the site's. */
  styles: readonly string[];
  /** The HTML below the header. */
  main: string;
  /** Further tags of the head, as HTML. Pages need no script. */
  tags?: readonly string[];
}

/** Renders pages in the site's style, with the icon and stylesheet of the built page, if there is one. */
export function htmlPages(builtPage: string | null, brand: PaintedBrand): (page: HtmlPage) => string {
  const look = headLinks(builtPage, brand);
  const icon = look.map((link) => /rel="icon" href="([^"]+)"/.exec(link)?.[1]).find((href) => href);
  const logo = icon ? `<img src="${icon}" alt="" height="40">` : '';
  const brandName = brand.name;
  return ({ title, description, styles, main, tags = [] }) => `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${description ? `<meta name="description" content="${escapeHtml(description)}">\n` : ''}<title>${escapeHtml(title)} | ${escapeHtml(brandName)}</title>
${[...look, ...['/plain.css', ...styles].map((href) => `<link rel="stylesheet" href="${href}">`)].join('\n')}${tags.map((tag) => `\n${tag}`).join('')}
</head>
<body class="plain">
<header class="plain-header"><a href="/">${logo}${escapeHtml(brandName)}</a></header>
${main}
</body>
</html>
`;
}

/** Lets all plugins render pages, and send their stylesheets. */
export async function addHtmlPages(
  app: FastifyInstance,
  folders: PageFolders,
  brand: PaintedBrand,
): Promise<void> {
  app.decorate('writePage', htmlPages(folders.page, brand));
  app.decorate('pageScript', pageScript(folders.page));
  await app.register(fastifyStatic, {
    root: folders.lists,
    serve: false,
    cacheControl: false,
    preCompressed: true,
  });
  addStylesheet(app, '/plain.css');
}

/** Serves a stylesheet by its name. */
export function addStylesheet(app: FastifyInstance, url: string): void {
  app.get(url, (_request, reply) => reply.header('cache-control', 'no-cache').sendFile(basename(url)));
}

function pageScript(builtPage: string | null): string | null {
  const path = join(builtPage ?? '', 'index.html');
  if (builtPage === null || !existsSync(path)) return null;
  return /<script type="module"[^>]* src="([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? null;
}

function headLinks(builtPage: string | null, brand: PaintedBrand): string[] {
  const path = join(builtPage ?? '', 'index.html');
  if (builtPage === null || !existsSync(path)) return [];
  const linked =
    fillShell(readFileSync(path, 'utf8'), brand).match(/<link rel="(?:icon|stylesheet)"[^>]*>/g) ?? [];
  return [...inlineStyles(builtPage).map(({ href }) => `<link rel="stylesheet" href="${href}">`), ...linked];
}
