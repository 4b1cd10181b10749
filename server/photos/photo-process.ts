import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PhotoImages, PhotoType, PhotoWidth } from './photo-image.ts';

/** The time for one photo, and how long the process waits for the next one. */
const MAX_MS = 20_000;
const IDLE_MS = 30_000;

export interface PhotoOrder {
  path: string;
  type: PhotoType;
}

export type PhotoAnswer = { images: [PhotoWidth, Uint8Array][] } | { error: string };

/** A file that cannot be shown, now or later. */
export class PhotoFault extends Error {
  override readonly name = 'PhotoFault';
}

/**
 * Scales photos, one after another, in a process of its own: it has little memory, none of the server's settings,
 * and ends when there is nothing to do. A photo that takes too much ends it, and fails alone.
 */
export function photoProcess() {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function start(): ChildProcess {
    const file = fileURLToPath(new URL('../workers/photos.ts', import.meta.url));
    const started = fork(file, [], {
      env: {},
      execArgv: ['--max-old-space-size=64'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.once('exit', () => {
      if (child === started) child = null;
    });
    return started;
  }

  function stop(): void {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
  }

  async function scale(order: PhotoOrder): Promise<PhotoImages> {
    clearTimeout(idle);
    child ??= start();
    const asked = child;
    const { promise, resolve, reject } = Promise.withResolvers<PhotoAnswer>();
    const ended = () => reject(new PhotoFault('Decoding the picture took too much memory or time'));
    const timer = setTimeout(stop, MAX_MS);
    asked.once('message', resolve).once('exit', ended).once('error', reject);
    try {
      asked.send(order);
      const answer = await promise;
      if ('error' in answer) throw new PhotoFault(answer.error);
      return new Map(answer.images.map(([width, bytes]) => [width, Buffer.from(bytes)]));
    } finally {
      clearTimeout(timer);
      asked.off('message', resolve).off('exit', ended).off('error', reject);
      idle = setTimeout(stop, IDLE_MS).unref();
    }
  }

  return {
    images(path: string, type: PhotoType): Promise<PhotoImages> {
      const scaled = last.then(() => scale({ path, type }));
      last = scaled.catch(() => {});
      return scaled;
    },
    stop,
  };
}
