import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** What Open Graph readers expect, in pixels. */
export const SHARE_SIZE = { width: 1_200, height: 630 };

/** The picture of a link's preview: a photo, or a drawing as PNG, because previews show no SVG. */
export function shareImage(picture: string): string {
  const [, kind, view] = /^\/assets\/places\/(\w+)\.svg#(\w+)$/.exec(picture) ?? [];
  return kind === undefined ? `${picture}&w=960` : `/share/${kind}-${view}.png`;
}

/** The part of a drawing's file for each view, cut to the shape of a preview. */
const PARTS: Readonly<Record<string, string>> = {
  dawn: '0 54 480 252',
  noon: '480 54 480 252',
  dusk: '960 54 480 252',
};

/** `/share/<kind>-<view>.png`: the drawn places of `/assets/places`. They have no prices, which previews keep too long. */
export function addShareImages(app: FastifyInstance, builtPage: string): void {
  const drawn = new Map<string, Promise<Buffer>>();
  app.get<{ Params: { name: string } }>('/share/:name', async (request, reply) => {
    const { name } = request.params;
    const [, kind = '', view = ''] = /^([a-z]+)-([a-z]+)\.png$/.exec(name) ?? [];
    const file = join(builtPage, `assets/places/${kind}.svg`);
    const part = PARTS[view];
    if (part === undefined || !existsSync(file)) return reply.callNotFound();
    const image = drawn.get(name) ?? draw(file, part);
    drawn.set(name, image);
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=86400')
      .send(await image);
  });
}

async function draw(file: string, part: string): Promise<Buffer> {
  // Loaded on demand, because few requests need it.
  const { default: sharp } = await import('sharp');
  const { width, height } = SHARE_SIZE;
  const svg = readFileSync(file, 'utf8').replace(
    / width="480" height="360" viewBox="0 0 480 360"/,
    ` width="${width}" height="${height}" viewBox="${part}"`,
  );
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
}
