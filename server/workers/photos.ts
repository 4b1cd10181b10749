import { errorMessage } from '../lib/error-message.ts';
import { photoImages } from '../photos/photo-image.ts';
import type { PhotoAnswer, PhotoOrder } from '../photos/photo-process.ts';

/** A picture within the size limits takes up to 400 MB. */
const MAX_BYTES = 512_000_000;
const CHECK_EVERY_MS = 20;

// Decoders allocate outside V8's heap, and macOS has no limit on a process's memory. They run in other threads,
// so this one can watch them.
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_BYTES) process.kill(process.pid, 'SIGKILL');
}, CHECK_EVERY_MS);

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (order: PhotoOrder) => void answer(order));

async function answer({ path, type }: PhotoOrder): Promise<void> {
  const images: PhotoAnswer = await photoImages(path, type).then(
    (scaled) => ({ images: [...scaled] }),
    (error: unknown) => ({ error: errorMessage(error) }),
  );
  process.send?.(images);
}
