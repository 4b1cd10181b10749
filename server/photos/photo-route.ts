import { rm } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { type FetchSetting, fetchFeed } from '../feed/source/fetch-feed.ts';
import { httpCaller } from '../http/http-caller.ts';
import type { PhotoPaths } from '../inventory/photo-path.ts';
import { INTERNAL_CALLER } from '../lib/caller.ts';
import { errorMessage } from '../lib/error-message.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { workQueue } from '../lib/work-queue.ts';
import { photoCache } from './photo-cache.ts';
import { PHOTO_WIDTHS, type PhotoType, type PhotoWidth, photoImages } from './photo-image.ts';

const MAX_SOURCE_BYTES = 10_000_000;
const MAX_FETCH_MS = 10_000;
/** One client may queue 30 photos, because a page of results has ten cards. */
const QUEUE = { name: 'photos', concurrency: 2, maxWaiting: 60, maxWaitingOfClient: 30, maxWaitMs: 10_000 };
/** How long to wait before a photo that failed is fetched again. */
const FAILED_MS = 10 * 60_000;
const MAX_FAILED = 10_000;

const A_YEAR = 'public, max-age=31536000, immutable';

const Query = v.object({
  of: v.string(),
  by: v.string(),
  w: v.optional(v.pipe(v.string(), v.transform(Number), v.picklist(PHOTO_WIDTHS)), '640'),
});

export interface PhotoOptions {
  paths: PhotoPaths;
  /** The hosts to fetch photos from. */
  hosts: () => readonly string[];
  folder: string;
  maxBytes: number;
  /** Tests replace it. */
  network?: Pick<FetchSetting, 'ask' | 'isAllowedAddress'>;
}

/** Serves `/photos`: photos that the catalogue names, fetched, checked, scaled and cached by this server. */
export function addPhotoRoute(app: FastifyInstance, options: PhotoOptions): void {
  const { paths, hosts, folder, maxBytes, network = {} } = options;
  const cache = photoCache(folder, maxBytes);
  const failed = new LRUCache<string, true>({ max: MAX_FAILED, ttl: FAILED_MS });
  const making = new Map<string, Promise<Map<PhotoWidth, Buffer>>>();
  const queue = workQueue(QUEUE);

  async function make(url: string, type: PhotoType): Promise<Map<PhotoWidth, Buffer>> {
    const path = await cache.temporary();
    try {
      await fetchFeed(url, path, {
        ...network,
        hosts: hosts(),
        hostsFrom: 'photoHosts of the providers',
        onRead: () => {},
        mostBytes: MAX_SOURCE_BYTES,
        mostMs: MAX_FETCH_MS,
        // A lost download is not resumed.
        pause: () => Promise.reject(new Error('The connection was lost')),
      });
      const images = await photoImages(path, type);
      for (const [width, image] of images) await cache.write(keyOf(url, type, width), image);
      return images;
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Null: the photo is unavailable. */
  async function imageOf(
    client: string,
    { url, type, width }: { url: string; type: PhotoType; width: PhotoWidth },
  ): Promise<Buffer | null> {
    const cached = await cache.read(keyOf(url, type, width));
    if (cached !== null || failed.has(url)) return cached;
    const key = `${type} ${url}`;
    // Clients share a photo, so it is fetched even if one of them disconnects.
    const made =
      making.get(key) ??
      queue.run({ ...INTERNAL_CALLER, client }, () => make(url, type)).finally(() => making.delete(key));
    making.set(key, made);
    try {
      return (await made).get(width) ?? null;
    } catch (error) {
      if (error instanceof Overloaded) throw error;
      failed.set(url, true);
      app.log.warn(`A photo of ${URL.parse(url)?.hostname} cannot be shown: ${errorMessage(error)}`);
      return null;
    }
  }

  app.get('/photos', { compress: false }, async (request, reply) => {
    const query = v.safeParse(Query, request.query);
    if (!query.success || !paths.isSigned(query.output.of, query.output.by)) return reply.callNotFound();
    const type = request.headers.accept?.includes('image/webp') ? 'webp' : 'jpeg';
    const { of: url, w: width } = query.output;
    const image = await imageOf(httpCaller(request, reply).client, { url, type, width });
    reply.header('vary', 'accept');
    if (image === null) return reply.code(404).header('cache-control', 'max-age=600').send();
    return reply.type(`image/${type}`).header('cache-control', A_YEAR).send(image);
  });
}

function keyOf(url: string, type: PhotoType, width: PhotoWidth): string {
  return `${width} ${type} ${url}`;
}
