import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isStoreUnavailable, OutcomeUnknown } from '../../server/lib/store-unavailable.ts';
import { readNote, writeNote } from '../../server/storage/notes.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { commitLosingProxy } from '../fixtures/commit-losing-proxy.ts';
import { type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { SHARED_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';

const IMPORT = ['import', '-', '--provider', 'SUNW'];
/** A note that an import writes in its transaction. */
const NOTE_OF_IMPORT = 'feed.last.SUNW';

describe.each(SHARED_STORE_KINDS)('A connection to the %s store lost during a commit', (kind) => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite(kind);
  }, 120_000);
  afterEach(() => site.close());

  async function importLosing(isPassedOn: boolean) {
    const losing = { after: NOTE_OF_IMPORT, isPassedOn, isEnd: false };
    const proxy = await commitLosingProxy(site.address, losing);
    const ended = await site.run(IMPORT, ndjson([feedItem()]), proxy.address);
    await proxy.close();
    return ended;
  }

  it('reports a committed import as done', async () => {
    const { exit, out } = await importLosing(true);
    expect(out).not.toContain('failed');
    expect(exit).toBe(0);
    expect(await site.offers()).toHaveLength(1);
  });

  it('reports an uncommitted import as failed, with nothing changed', async () => {
    const { exit, out } = await importLosing(false);
    expect(out).toContain('Import failed; nothing was changed');
    expect(exit).toBe(1);
    expect(await site.offers()).toEqual([]);
    expect((await site.run(IMPORT, ndjson([feedItem()]))).exit).toBe(0);
  });

  it.each([true, false])(
    'reports an unknown outcome while the server is unreachable (committed: %s)',
    async (isPassedOn) => {
      const proxy = await commitLosingProxy(site.address, { after: 'a note', isPassedOn, isEnd: true });
      const database = await openDatabase(proxy.address, { outcomeWait: 600 });
      let failure: unknown;
      try {
        await database.write('records', async (tx) => writeNote(tx, 'a note', 'here'));
      } catch (error) {
        failure = error;
      }
      expect(failure).toBeInstanceOf(OutcomeUnknown);
      expect(isStoreUnavailable(failure)).toBe(true);
      expect(await readNote(site.database(), 'a note')).toBe(isPassedOn ? 'here' : null);
      await database.close();
      await proxy.close();
    },
  );
});
