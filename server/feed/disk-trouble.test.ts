import { expect, it } from 'vitest';
import { diskTrouble } from './disk-trouble.ts';

const system = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: the system's words, write`), {
    code,
    ...(path === undefined ? {} : { path }),
  });
const sqlite = (errcode: number, message: string) => Object.assign(new Error(message), { errcode });
const told = (error: unknown, freeBytes: () => number = () => 3_540_000) =>
  diskTrouble(error, '/data', freeBytes);

it.each<[string, unknown]>([
  ['ENOSPC', system('ENOSPC')],
  ['ENOSPC at a file', system('ENOSPC', '/data/feed-reports/SUNW.jsonl')],
  ['EDQUOT', system('EDQUOT')],
  ['SQLite', sqlite(13, 'database or disk is full')],
])('names the folder of a full disk, its free space and what to do: %s', (_what, error) => {
  expect(told(error)).toMatch(
    /^the disk of \/data \(DATA_DIR\) is full \(.+\)\. After clean-up, 3\.5 MB is free\. Free some space there, or set DATA_DIR to a folder on a larger disk$/,
  );
});

it.each<[string, unknown]>([
  ['EROFS', system('EROFS', '/data/inventory.sqlite')],
  ['EACCES', system('EACCES', '/data')],
  ['SQLite, read-only', sqlite(8, 'attempt to write a readonly database')],
  ['SQLite, extended code', sqlite(14 | (2 << 8), 'unable to open database file')],
])('names the folder that is not writable: %s', (_what, error) => {
  expect(told(error)).toMatch(/^\/data \(DATA_DIR\) is not writable \(.+\)\. Make it writable for the user/);
});

it('treats an I/O error as a full disk only if no space is free', () => {
  const error = sqlite(10, 'disk I/O error');
  expect(told(error, () => 40_000)).toContain('is full (disk I/O error)');
  expect(told(error, () => 7e9)).toContain('cannot be read or written (disk I/O error). After clean-up');
  expect(told(error, () => 7e9)).toContain('7.0 GB is free. Check the disk');
});

it('recognises a full disk without knowing the free space', () => {
  const failing = () => {
    throw new Error('no such folder');
  };
  expect(told(system('ENOSPC'), failing)).toMatch(/is full \(.+\)\. Free some space there/);
});

it('ignores files elsewhere and other errors', () => {
  for (const error of [
    system('EACCES', '/home/feed.csv'),
    system('EACCES', '/data2/a'),
    system('ENOENT'),
    'text',
  ])
    expect(told(error)).toBeNull();
  expect(told(sqlite(1, 'no such table'))).toBeNull();
});
