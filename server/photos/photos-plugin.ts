import { rm } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { parseFeedLink } from '../feed/formats/feed-link.ts';
import { type FetchSetting, fetchFeed, StatusFault } from '../feed/source/fetch-feed.ts';
import { httpCaller } from '../http/http-caller.ts';
import type { PhotoPaths } from '../inventory/photo-path.ts';
import { INTERNAL_CALLER } from '../lib/caller.ts';
import { errorMessage } from '../lib/error-message.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { type WorkQueue, workQueue } from '../lib/work-queue.ts';
import { photoCache } from './photo-cache.ts';
import { PHOTO_WIDTHS, type PhotoImages, type PhotoType, type PhotoWidth } from './photo-image.ts';
import { PhotoFault, photoProcess } from './photo-process.ts';

const MAX_SOURCE_BYTES = 10_000_000;
const MAX_FETCH_MS = 10_000;
/** Each host's queue. One client may queue 30 photos, because a page of results has ten cards. */
const QUEUE = { name: 'photos', concurrency: 1, maxWaiting: 60, maxWaitingOfClient: 30, maxWaitMs: 10_000 };
/** How long to wait before a photo is fetched again: after a failed fetch, and if it cannot be decoded. */
const FAILED_MS = 10 * 60_000;
const UNUSABLE_MS = 24 * 3_600_000;
/** A host that fails this often in a row is not asked for a while. */
const MAX_FAILURES = 3;
const REST_MS = 5 * 60_000;

const A_YEAR = 'public, max-age=31536000, immutable';

const Query = v.object({
  of: v.string(),
  by: v.string(),
  w: v.optional(v.pipe(v.string(), v.transform(Number), v.picklist(PHOTO_WIDTHS)), '640'),
});

/** A host, or all hosts under a listed `*.` name. */
interface HostState {
  queue: WorkQueue;
  /** In a row. */
  failures: number;
  restsUntil: number;
}

export interface PhotosOptions {
  paths: PhotoPaths;
  /** The hosts to fetch photos from. */
  hosts: () => readonly string[];
  folder: string;
  maxBytes: number;
  now: () => number;
  /** Tests replace it. */
  network?: Pick<FetchSetting, 'fetch'>;
}

/** Serves `/photos`: photos that the catalogue names, fetched, checked, scaled and cached by this server. */
export async function photosPlugin(app: FastifyInstance, options: PhotosOptions): Promise<void> {
  const { paths, hosts, folder, maxBytes, now, network = {} } = options;
  const cache = photoCache(folder, maxBytes);
  const making = new Map<string, Promise<PhotoImages>>();
  const states = new Map<string, HostState>();
  const process = photoProcess();
  app.addHook('onClose', async () => process.stop());

  /** The state of a photo's host; null if no list has the host, or if it rests. */
  function hostOf(url: string): HostState | null {
    const listed = hosts().find((host) => parseFeedLink(url, [host]).kind === 'link');
    if (listed === undefined) return null;
    const state = states.get(listed) ?? { queue: workQueue(QUEUE), failures: 0, restsUntil: 0 };
    states.set(listed, state);
    return state.restsUntil > now() ? null : state;
  }

  async function fetchFrom(state: HostState, url: string, path: string): Promise<void> {
    try {
      await fetchFeed(url, path, {
        ...network,
        hosts: hosts(),
        hostsFrom: 'photoHosts of the providers',
        onRead: async () => {},
        mostBytes: MAX_SOURCE_BYTES,
        mostMs: MAX_FETCH_MS,
      });
      state.failures = 0;
    } catch (error) {
      // A host that lacks one photo responds, so it may have others.
      const isMissing = error instanceof StatusFault && [404, 410].includes(error.status);
      state.failures = isMissing ? 0 : state.failures + 1;
      if (state.failures >= MAX_FAILURES) state.restsUntil = now() + REST_MS;
      throw error;
    }
  }

  async function make(client: string, state: HostState, url: string, type: PhotoType): Promise<PhotoImages> {
    const path = await cache.temporary();
    try {
      await state.queue.run({ ...INTERNAL_CALLER, client }, () => fetchFrom(state, url, path));
      const images = await process.images(path, type);
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
    if (cached !== null || Number(await cache.read(failureOf(url))) > now()) return cached;
    const host = hostOf(url);
    if (host === null) return null;
    const key = `${type} ${url}`;
    // Clients share a photo, so it is fetched even if one of them disconnects.
    const made = making.get(key) ?? make(client, host, url, type).finally(() => making.delete(key));
    making.set(key, made);
    try {
      return (await made).get(width) ?? null;
    } catch (error) {
      if (error instanceof Overloaded) throw error;
      await noteFailure(url, error);
      app.log.warn(`A photo of ${URL.parse(url)?.hostname} cannot be shown: ${errorMessage(error)}`);
      return null;
    }
  }

  /** In a file, because a restart must not fetch and decode everything again. */
  async function noteFailure(url: string, error: unknown): Promise<void> {
    const until = now() + (error instanceof PhotoFault ? UNUSABLE_MS : FAILED_MS);
    await cache
      .write(failureOf(url), Buffer.from(String(until)))
      .catch((fault: unknown) => app.log.warn(fault));
  }

  app.get('/photos', { compress: false, config: { isOpen: true } }, async (request, reply) => {
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

function failureOf(url: string): string {
  return `failed ${url}`;
}

function keyOf(url: string, type: PhotoType, width: PhotoWidth): string {
  return `${width} ${type} ${url}`;
}
