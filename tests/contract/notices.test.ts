import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdTemplate, pauseChannel, releaseTemplate } from '../../server/alerts/delivery/pauses.ts';
import { alertKeys } from '../../server/alerts/keys/alert-keys.ts';
import { alertStore } from '../../server/alerts/tables/alert-store.ts';
import { type Finding, problemsOf } from '../../server/conditions/condition.ts';
import { SERVER_CONDITIONS } from '../../server/conditions/server-conditions.ts';
import { QUIET_SERVER } from '../../server/conditions/server-view.ts';
import { beginAttempt, endAttempt } from '../../server/feed/attempts/attempt-table.ts';
import { writeLastImport } from '../../server/feed/write/store-notes.ts';
import { noticeRuns } from '../../server/notices/notice-runs.ts';
import { readOpenNotices, saveNotice } from '../../server/notices/notice-state.ts';
import { writeNote } from '../../server/storage/notes.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { providersFile } from '../fixtures/feed-site.ts';
import { SMALL_CHARGES } from '../fixtures/small-charges.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2027, 3, 1, 2);

const ofDisk = (freeBytes: number) =>
  problemsOf(SERVER_CONDITIONS, { ...QUIET_SERVER, now: START, freeBytes });
const ofCharges = (now: number) =>
  problemsOf(SERVER_CONDITIONS, { ...QUIET_SERVER, now, charges: SMALL_CHARGES });

describe.each(STORE_KINDS)('Notices, with a store that is %s', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  let at = START;
  let sent: string[] = [];
  let seen: Finding[] = [];
  let failures = 0;
  let isDying = false;
  let isStoreAway = false;
  let closers: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    store = await makeStore(kind);
    database = await openDatabase(store.address);
    // A package that is on sale.
    await database.exec(`insert into offer (departure_day, region, resort, hotel, room, price, outbound_flight,
      inbound_flight, expires_at, seen_at, nights, party, country, airport, board, provider, half_stars,
      departure_minute, luggage) values (40000, 1, 1, 1, 1, 90000, 1, 1, 60000000, 1, 7, 1, 1, 1, 1, 1, 8, 600, 0)`);
    at = START;
    sent = [];
    seen = [];
    failures = 0;
    isDying = false;
    isStoreAway = false;
    closers = [];
  });
  afterEach(async () => {
    for (const close of closers) await close();
    await database.close();
    await store.remove();
  });

  function server(codes: string[] = []) {
    const listed = codes.map((code) => ({ code, name: code, linkHosts: ['www.sunward.example'] }));
    const { providers } = providersFile({ providers: listed }, store.folder);
    const { run, close } = noticeRuns({
      async openStore() {
        if (isStoreAway) throw new Error('no connection');
        return openDatabase(store.address);
      },
      look: () => ({ conditions: seen, providers, feedLateMs: 30 * HOUR }),
      async send(event, { title }) {
        if (failures > 0) {
          failures -= 1;
          throw new Error('refused');
        }
        sent.push(`${event}: ${title}`);
        if (isDying) await new Promise(() => {});
      },
      log: () => {},
      now: () => at,
    });
    closers.push(close);
    return { run, close };
  }

  async function pass(ms: number, stepMs: number, run: () => Promise<void>): Promise<void> {
    for (const until = at + ms; at < until; ) {
      at += stepMs;
      await run();
    }
  }

  async function importFeed(provider: string): Promise<void> {
    const counts = { packages: 7, added: 0, changed: 0, removed: 0, refused: 0 };
    await writeLastImport(database, provider, {
      at: new Date(at).toISOString(),
      format: 'items-csv',
      ...counts,
    });
  }

  it('repeats what lasts each day, and nothing that is silenced until its day', async () => {
    const { run } = server();
    seen = await ofDisk(0);
    await pass(49 * HOUR, 30 * MINUTE, run);
    const title = seen[0]?.title;
    expect(sent).toEqual([`begun: ${title}`, `lasting: ${title}`, `lasting: ${title}`]);
    sent = [];
    const [notice] = (await readOpenNotices(database)).values();
    if (notice === undefined) throw new Error('There is no open notice');
    await saveNotice(database, notice.key, { ...notice, silentUntil: at + 72 * HOUR });
    await pass(71 * HOUR, HOUR, run);
    expect(sent).toEqual([]);
    await pass(2 * HOUR, HOUR, run);
    expect(sent).toEqual([`lasting: ${title}`]);
    seen = [];
    await pass(HOUR, 10 * MINUTE, run);
    expect(sent).toEqual([`lasting: ${title}`, `over: ${title}`]);
  });

  it('says that a problem is over if the server that told of it died before it could save that', async () => {
    seen = await ofDisk(0);
    const title = seen[0]?.title;
    isDying = true;
    void server().run();
    await vi.waitFor(() => expect(sent).toEqual([`begun: ${title}`]));
    isDying = false;
    seen = [];
    await pass(20 * MINUTE, MINUTE, server().run);
    expect(sent).toEqual([`begun: ${title}`, `over: ${title}`]);
  });

  it('sends nothing when nights vary by minutes, one notice of a missed night, and one of its end', async () => {
    const { run } = server(['SUNW']);
    await importFeed('SUNW');
    for (let night = 0; night < 3; night += 1) {
      await pass(24 * HOUR + 12 * MINUTE, 36 * MINUTE + 18_000, run);
      await importFeed('SUNW');
    }
    expect(sent).toEqual([]);
    await pass(40 * HOUR, HOUR, run);
    expect(sent).toEqual(['begun: The feed of SUNW is late']);
    await importFeed('SUNW');
    await pass(5 * MINUTE, MINUTE, run);
    expect(sent).toHaveLength(1);
    await pass(20 * MINUTE, MINUTE, run);
    expect(sent).toEqual(['begun: The feed of SUNW is late', 'over: The feed of SUNW is late']);
  });

  it('reports a feed that keeps failing, but no failure that a retry repairs', async () => {
    const { run } = server(['SUNW']);
    const attempt = async (outcome: 'failed' | 'imported') => {
      const id = await beginAttempt(database, { provider: 'SUNW', source: 'a file', now: at });
      await endAttempt(database, id, { outcome, message: 'No such file.', detail: {}, now: at });
    };
    await attempt('failed');
    await pass(5 * MINUTE, MINUTE, run);
    await attempt('imported');
    await importFeed('SUNW');
    await pass(15 * MINUTE, MINUTE, run);
    expect(sent).toEqual([]);
    await attempt('failed');
    await pass(30 * MINUTE, MINUTE, run);
    expect(sent).toEqual(['begun: The feed of SUNW fails']);
  });

  it('reports a feed that began to fail while the clock was ahead', async () => {
    const { run } = server(['SUNW']);
    await importFeed('SUNW');
    const id = await beginAttempt(database, { provider: 'SUNW', source: 'a file', now: at });
    await endAttempt(database, id, { outcome: 'failed', message: 'No such file.', detail: {}, now: at });
    at += 12 * HOUR;
    await run();
    at -= 12 * HOUR;
    await pass(15 * MINUTE, MINUTE, run);
    expect(sent).toEqual(['begun: The feed of SUNW fails']);
  });

  it('reports a feed that was never imported, once it counts as late', async () => {
    const { run } = server(['SUNW']);
    await pass(29 * HOUR, HOUR, run);
    expect(sent).toEqual([]);
    await pass(20 * HOUR, HOUR, run);
    expect(sent).toEqual(['begun: The feed of SUNW has never been imported']);
  });

  it('reports paused alerts, a rejected template, a full disk and a failed backup', async () => {
    const { run } = server();
    const alerts = alertStore(database, alertKeys(new Uint8Array(32)));
    await pauseChannel(alerts, 'whatsapp', 'account', '190', at);
    await pauseChannel(alerts, 'email', 'slow down', '421', at);
    await holdTemplate(alerts, 'drop', '132015', at);
    await writeNote(database, 'backup.failed', 'No space.');
    seen = await ofDisk(1e6);
    await pass(3 * MINUTE, MINUTE, run);
    expect(sent.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'begun: Price alerts by WhatsApp are paused',
      'begun: The backup failed',
      'begun: The disk of the data folder is full, or nearly',
      'begun: The provider rejects the template drop',
    ]);
    await releaseTemplate(alerts, 'drop', at);
    seen = await ofDisk(1e9);
    await pass(12 * MINUTE, MINUTE, run);
    expect(sent.slice(4)).toEqual([
      'over: The disk of the data folder is full, or nearly',
      'over: The provider rejects the template drop',
    ]);
  });

  it('reports old exchange rates and charges that end soon', async () => {
    const { run } = server();
    seen = await ofCharges(at);
    await pass(3 * MINUTE, MINUTE, run);
    expect(sent).toEqual([]);
    seen = await ofCharges(Date.UTC(2027, 10, 2));
    await pass(3 * MINUTE, MINUTE, run);
    expect(sent).toEqual([
      'begun: Exchange rates need an update',
      'begun: Rules of local charges need an update',
    ]);
  });

  it('sends two notices for a condition that flickers', async () => {
    const { run } = server();
    for (let turn = 0; turn < 5; turn += 1) {
      seen = await ofDisk(turn % 2 === 0 ? 1e6 : 1e9);
      await pass(3 * MINUTE, MINUTE, run);
    }
    seen = [];
    await pass(15 * MINUTE, MINUTE, run);
    expect(sent.map((one) => one.split(':')[0])).toEqual(['begun', 'over']);
  });

  it('retries what could not be sent, and repeats nothing after a restart', async () => {
    const first = server();
    seen = await ofDisk(1e6);
    failures = 2;
    await pass(5 * MINUTE, MINUTE, first.run);
    expect(sent).toHaveLength(1);
    await first.close();
    at += 5 * MINUTE;
    await pass(5 * MINUTE, MINUTE, server().run);
    expect(sent).toHaveLength(1);
  });

  it('reports a store that does not respond, and ends no other notice in that time', async () => {
    const first = server();
    await writeNote(database, 'backup.failed', 'No space.');
    await pass(MINUTE, MINUTE, first.run);
    await first.close();
    isStoreAway = true;
    // A new server, which has no connection to the store.
    const { run } = server();
    await pass(30 * MINUTE, MINUTE, run);
    expect(sent).toEqual(['begun: The backup failed', 'begun: The store does not respond']);
    isStoreAway = false;
    await pass(30 * MINUTE, MINUTE, run);
    expect(sent.slice(2)).toEqual(['over: The store does not respond']);
  });

  it('waits with a notice that is not due yet while the store does not respond', async () => {
    const { run, close } = server(['SUNW']);
    await importFeed('SUNW');
    const id = await beginAttempt(database, { provider: 'SUNW', source: 'a file', now: at });
    await endAttempt(database, id, { outcome: 'failed', message: 'No such file.', detail: {}, now: at });
    await pass(3 * MINUTE, MINUTE, run);
    await close();
    isStoreAway = true;
    await pass(30 * MINUTE, MINUTE, run);
    expect(sent).toEqual(['begun: The store does not respond']);
    isStoreAway = false;
    await pass(MINUTE, MINUTE, run);
    expect(sent.slice(1)).toEqual(['begun: The feed of SUNW fails']);
  });

  if (kind === 'postgresql') {
    it('notifies from one of two servers, and from the other once the first has stopped', async () => {
      const one = server();
      const other = server();
      seen = await ofDisk(1e6);
      await pass(5 * MINUTE, MINUTE, async () => {
        await one.run();
        await other.run();
      });
      expect(sent).toHaveLength(1);
      seen = [];
      await pass(20 * MINUTE, MINUTE, other.run);
      expect(sent.map((notice) => notice.split(':')[0])).toEqual(['begun', 'over']);
    });

    it('keeps a silence while two servers have no store, and after one has stopped', async () => {
      const one = server();
      const other = server();
      const both = async () => {
        await one.run();
        await other.run();
      };
      seen = await ofDisk(1e6);
      await pass(3 * MINUTE, MINUTE, both);
      const [notice] = (await readOpenNotices(database)).values();
      if (notice === undefined) throw new Error('There is no open notice');
      await saveNotice(database, notice.key, { ...notice, silentUntil: at + 72 * HOUR });
      await pass(MINUTE, MINUTE, both);
      await one.close();
      await other.close();
      isStoreAway = true;
      await pass(2 * MINUTE, MINUTE, both);
      isStoreAway = false;
      await pass(MINUTE, MINUTE, both);
      const begun = `begun: ${notice.title}`;
      expect(sent).toEqual([begun, ...Array(2).fill('begun: The store does not respond')]);
      await pass(20 * MINUTE, MINUTE, other.run);
      expect((await readOpenNotices(database)).get(notice.key)?.silentUntil).toBeGreaterThan(at);
      seen = [];
      await pass(20 * MINUTE, MINUTE, other.run);
      expect(sent.slice(3)).toEqual(['over: The store does not respond', `over: ${notice.title}`]);
    });
  }
});
