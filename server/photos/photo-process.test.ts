import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { photoProcess } from './photo-process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let process: ReturnType<typeof photoProcess>;
beforeEach(() => {
  folder = temporaryFolder();
  process = photoProcess();
});
afterEach(() => {
  process.stop();
  folder.remove();
});

it('decodes the next photo after a process that has ended in the middle of one', async () => {
  const path = join(folder.path, 'sea.jpg');
  const create = { width: 1_200, height: 900, channels: 3, background: '#2080c0' } as const;
  writeFileSync(path, await sharp({ create }).jpeg().toBuffer());
  const ended = process.images(path, 'webp');
  const next = process.images(path, 'webp');
  await Promise.resolve();
  process.stop();
  await expect(ended).rejects.toThrow('took too much memory or time');
  expect([...(await next).keys()]).toEqual([320, 640, 960]);
});
