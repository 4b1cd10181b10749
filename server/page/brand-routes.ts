import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Brand } from './brand-folder.ts';
import { brandStyle } from './brand-style.ts';
import type { PaintedBrand } from './fill-shell.ts';

const A_YEAR = 'public, max-age=31536000, immutable';

export function paintedBrand(name: string, { logo, colours }: Brand): PaintedBrand {
  const version = colours === null ? '' : hashOf(brandStyle(colours));
  return {
    name,
    logoUrl: logo?.url ?? null,
    styleUrl: colours === null ? null : `/brand/colours-${version}.css`,
    sky: colours?.sky ?? null,
  };
}

/** Serves the brand's logo and colours at URLs that contain a hash of their content. */
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

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
