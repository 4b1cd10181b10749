import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Brand } from './brand-folder.ts';
import { brandStyle } from './brand-style.ts';
import { fillShell, type PaintedBrand } from './fill-shell.ts';
import { precompress, sendPrecompressed } from './precompressed.ts';

const A_YEAR = 'public, max-age=31536000, immutable';

/** The brand in the built files, which are served unchanged for it. */
const BUILT_NAME = 'Skylark';

/** The folder of templates that the build writes beside the page's folder. */
const TEMPLATES = 'shell';

const SHELLS = {
  '/': 'index.html',
  '/results': 'results.html',
  '/explore': 'explore.html',
  '/alerts': 'index.html',
  '/accessibility.html': 'accessibility.html',
};

export function paintedBrand(name: string, { logo, colours }: Brand): PaintedBrand {
  const version = colours === null ? '' : hashOf(brandStyle(colours));
  return {
    name,
    logoUrl: logo?.url ?? null,
    styleUrl: colours === null ? null : `/brand/colours-${version}.css`,
    sky: colours?.sky ?? null,
  };
}

/** Serves the brand's logo and the stylesheet of its colours, at addresses that contain a hash of their content. */
export function addBrandFiles(app: FastifyInstance, brand: Brand, painted: PaintedBrand): void {
  const { logo, colours } = brand;
  const send = (reply: FastifyReply, type: string, content: string | Buffer) =>
    reply.type(type).header('cache-control', A_YEAR).send(content);
  if (logo !== null) app.get(logo.url, (_request, reply) => send(reply, logo.type, logo.content));
  if (colours !== null && painted.styleUrl !== null) {
    const style = brandStyle(colours);
    app.get(painted.styleUrl, (_request, reply) => send(reply, 'text/css; charset=utf-8', style));
  }
}

/**
 * Serves the page with the brand rendered into it. Returns false if the brand is the default one, or if the page was
 * built without templates: then the built files are to be served.
 */
export async function addBrandedShells(
  app: FastifyInstance,
  builtPage: string,
  painted: PaintedBrand,
): Promise<boolean> {
  const templates = join(builtPage, '..', TEMPLATES);
  if (painted.name === BUILT_NAME && painted.logoUrl === null && painted.styleUrl === null) return false;
  if (!existsSync(join(templates, 'index.html'))) return false;
  for (const [address, file] of Object.entries(SHELLS)) {
    const html = fillShell(readFileSync(join(templates, file), 'utf8'), painted);
    const shell = await precompress(html, { type: 'text/html; charset=utf-8', quality: 11 });
    app.get(address, { compress: false }, (request, reply) => sendPrecompressed(request, reply, shell));
  }
  return true;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
