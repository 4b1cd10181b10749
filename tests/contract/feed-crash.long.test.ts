import { execFile } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/storage/open/database.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';
import { FEED_NOW, feedItem, ndjson } from '../fixtures/feed-site.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import type { CrashOrder, CrashWord } from '../soak/feed-crash-child.ts';

const CHILD = join(import.meta.dirname, '../soak/feed-crash-child.ts');
const POINTS = 9;
const AN_HOUR = 3_600_000;

/** Runs an import in a child process; null if it was killed. */
function runChild(order: CrashOrder): Promise<CrashWord | null> {
  return new Promise((settle, fail) => {
    execFile(process.execPath, [CHILD, JSON.stringify(order)], (error, stdout, stderr) => {
      if (error?.signal === 'SIGKILL') settle(null);
      else if (error !== null) fail(new Error(stderr, { cause: error }));
      else settle(JSON.parse(stdout) as CrashWord);
    });
  });
}

/** The store's contents, without the times when packages were last seen. */
async function stateOf(dataDir: string): Promise<string> {
  const database = await openDatabase(embeddedStore(dataDir));
  const rows = async (sql: string) => (await database.prepare(sql).rows()).map(String).toSorted();
  const state = [
    await rows(
      'select hotel.code, hotel.name, departure_day, board, price, luggage from offer join hotel on hotel.id = hotel',
    ),
    await rows('select hotel, board, price from price_observation'),
    await rows("select name from note where name not like 'feed.lease%'"),
    await rows('select name from resort'),
  ];
  await database.close();
  return JSON.stringify(state);
}

const items = (from: number, to: number, change: Record<string, unknown> = {}) =>
  Array.from({ length: to - from }, (_, index) =>
    feedItem({ HotelIdentifierCode: `H${from + index}`, ...change }),
  );

describe('An import that is killed', () => {
  it('leaves the store unchanged or fully updated, and the next import completes it', {
    timeout: 240_000,
  }, async () => {
    const template = temporaryFolder();
    const feed = join(template.path, 'feed.ndjson');
    const dataDir = join(template.path, 'data');
    writeFileSync(feed, ndjson(items(0, 120)));
    await runChild({ dataDir, feed, now: FEED_NOW, killAt: null });
    const before = await stateOf(dataDir);
    writeFileSync(
      feed,
      ndjson([...items(30, 110, { TotalPrice: 950 }), ...items(110, 130, { HolidayResort: 'Albir' })]),
    );

    const clean = join(template.path, 'clean');
    cpSync(dataDir, clean, { recursive: true });
    const whole = await runChild({ dataDir: clean, feed, now: FEED_NOW + AN_HOUR, killAt: null });
    expect(whole?.exit).toBe(0);
    const after = await stateOf(clean);
    expect(after).not.toBe(before);

    const writes = whole?.writes ?? 0;
    let unchanged = 0;
    for (let point = 0; point < POINTS; point += 1) {
      const killed = join(template.path, `killed-${point}`);
      cpSync(dataDir, killed, { recursive: true });
      const killAt = 1 + Math.round((point / (POINTS - 1)) * (writes - 1));
      const order = { dataDir: killed, feed, now: FEED_NOW + AN_HOUR, killAt };
      expect(await runChild(order)).toBeNull();
      const left = await stateOf(killed);
      expect([before, after]).toContain(left);
      if (left === before) unchanged += 1;
      const again = await runChild({ ...order, killAt: null });
      expect(again?.exit).toBe(0);
      expect(await stateOf(killed)).toBe(after);
      expect(readdirSync(killed).filter((name) => name.startsWith('feed-staging'))).toEqual([]);
    }
    expect(unchanged).toBeGreaterThanOrEqual(POINTS - 2);
    template.remove();
  });
});
