import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { log } from '../../server/lib/log.ts';
import { checkCitus } from '../../server/storage/citus/check.ts';
import { concludePrepared, GRANT_RECOVERY } from '../../server/storage/citus/conclude-prepared.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { withClient } from '../fixtures/postgres.ts';
import { emptyDatabase } from '../fixtures/test-databases.ts';

const WAITING = { timeout: 20_000, interval: 200 };

afterEach(() => vi.restoreAllMocks());

describe.skipIf(inject('citusUrl') === null)(
  'A role that owns its database on Citus, but is not a superuser',
  () => {
    const role = `owner_${randomBytes(4).toString('hex')}`;

    /** The URLs of the database: on the coordinator for the superuser and for the role, and on a worker. */
    async function makeOwnedDatabase() {
      const { url: superuser } = await emptyDatabase('citus');
      const { pathname } = new URL(superuser);
      // Citus also creates the role and its ownership on the workers.
      await withClient(superuser, async (client) => {
        await client.query(`create role ${role} login`);
        await client.query(`alter database ${pathname.slice(1)} owner to ${role}`);
      });
      const { rows } = await withClient(superuser, (client) =>
        client.query<{ nodename: string; nodeport: number }>(
          'select nodename, nodeport from pg_dist_node where groupid <> 0',
        ),
      );
      const at = (url: string, changes: Partial<Pick<URL, 'username' | 'host'>>) =>
        Object.assign(new URL(url), changes).href;
      const host = rows.map(({ nodename, nodeport }) => `${nodename}:${nodeport}`)[0] ?? '';
      const own = at(superuser, { username: role });
      return { superuser, own, worker: at(own, { host }) };
    }

    it('creates its tables, and reports once which permission it needs to conclude prepared transactions', async () => {
      const { superuser, own, worker } = await makeOwnedDatabase();
      const database = await openDatabase({ kind: 'postgresql', url: own, readUrls: [] });
      expect((await checkCitus(own)).filter(({ level }) => level !== 'ok')).toEqual([
        expect.objectContaining({
          level: 'warn',
          remedy: expect.stringContaining(`${GRANT_RECOVERY} ${role}`),
        }),
      ]);
      const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
      const watch = concludePrepared(own);
      await vi.waitFor(
        () => expect(warn).toHaveBeenCalledWith(expect.stringContaining(GRANT_RECOVERY)),
        WAITING,
      );
      watch.stop();
      expect(warn).toHaveBeenCalledTimes(1);

      await withClient(superuser, (client) => client.query(`${GRANT_RECOVERY} ${role}`));
      expect((await checkCitus(own)).filter(({ level }) => level !== 'ok')).toEqual([]);
      await database.close();
      const granted = concludePrepared(own);
      // The name looks like a transaction of the coordinator, but the coordinator has no record of it.
      await withClient(worker, (client) =>
        client.query(`begin; create table never_there (id bigint); prepare transaction 'citus_0_999999_3_1'`),
      );
      await vi.waitFor(async () => {
        const left = await withClient(worker, (client) => client.query('select 1 from pg_prepared_xacts'));
        expect(left.rows).toEqual([]);
      }, WAITING);
      granted.stop();
      expect(warn).toHaveBeenCalledTimes(1);
    }, 60_000);
  },
);
