import type { Condition } from './condition.ts';
import { gauge } from './gauge.ts';
import type { ServerView } from './server-view.ts';

/** In bytes. Below this, sign-ups, clicks and imports will soon be refused. */
export const MIN_FREE_BYTES = 200_000_000;

export const DISK_FULL: Condition<ServerView, Pick<ServerView, 'freeBytes'>> = {
  id: 'disk',
  level: 'bad',
  sentence: 'The disk of the data folder is full, or nearly',
  remedy:
    'Free some space, or move DATA_DIR to a larger disk: on a full one, sign-ups, clicks and imports are refused.',
  graceMs: 0,
  readyz: 'warnings',
  gauges: [
    gauge(
      'store_disk_free_bytes',
      "Free bytes on the disk of the embedded store's data folder",
      ({ freeBytes }) => freeBytes,
    ),
  ],
  read: ({ freeBytes }) =>
    freeBytes !== null &&
    freeBytes < MIN_FREE_BYTES && { detail: `${Math.floor(freeBytes / 1e6)} MB is free` },
};
