import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeStore, STORE_KINDS, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { checkClock, clockGuard } from './clock-guard.ts';
import { openDatabase } from './open/database.ts';
import type { SqlDatabase } from './sql-database.ts';

const NOON = Date.parse('2026-11-24T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

for (const kind of STORE_KINDS) {
  describe(`The clock guard, with the ${kind} store`, () => {
    let store: TestStore;
    let database: SqlDatabase;
    beforeEach(async () => {
      store = await makeStore(kind);
      database = await openDatabase(store.address);
    });
    afterEach(async () => {
      await database.close();
      await store.remove();
    });

    /** A server whose clock shows `wall` at its start. */
    function server(wall: number) {
      const clocks = { wall, steady: 5_000 };
      const check = clockGuard(database, { wall: () => clocks.wall, steady: () => clocks.steady });
      const pass = (ms: number) => {
        clocks.wall += ms;
        clocks.steady += ms;
      };
      return {
        clocks,
        pass,
        check: async () => (await check()).kind,
        /** Checks the clock every minute. Returns the verdicts, with repeated ones combined. */
        async watch(ms: number) {
          const seen: string[] = [];
          for (let passed = 0; passed < ms; passed += MINUTE) {
            pass(MINUTE);
            const { kind } = await check();
            if (seen.at(-1) !== kind) seen.push(kind);
          }
          return seen;
        },
      };
    }

    it('accepts the clock of a new store, a day later, and after a small correction', async () => {
      expect(await server(NOON).check()).toBe('right');
      expect(await server(NOON + DAY).check()).toBe('right');
      expect(await server(NOON + DAY - 5 * MINUTE).check()).toBe('right');
    });

    it('doubts the clock for an hour if no server ran for a week', async () => {
      await server(NOON).check();
      const later = server(NOON + 7 * DAY);
      expect(await later.check()).toBe('doubted');
      expect(await later.watch(59 * MINUTE)).toEqual(['doubted']);
      expect(await checkClock(database, later.clocks.wall)).toMatchObject({ kind: 'doubted', last: NOON });
      expect(await later.watch(2 * MINUTE)).toContain('right');
      expect((await checkClock(database, later.clocks.wall)).kind).toBe('right');
      expect(await server(later.clocks.wall).check()).toBe('right');
    });

    it.each([400 * DAY, -400 * DAY])(
      'doubts a clock that is %i ms off for less than an hour',
      async (off) => {
        await server(NOON).check();
        const wrong = server(NOON + off);
        expect([await wrong.check(), ...(await wrong.watch(50 * MINUTE))]).toEqual(['doubted', 'doubted']);
        wrong.clocks.wall -= off;
        expect(await wrong.check()).toBe('right');
      },
    );

    it('doubts the clock for an hour after its last jump', async () => {
      await server(NOON).check();
      const restless = server(NOON + 400 * DAY);
      await restless.watch(50 * MINUTE);
      restless.clocks.wall += DAY;
      expect(await restless.watch(55 * MINUTE)).toEqual(['doubted']);
      expect((await restless.watch(10 * MINUTE)).at(-1)).toBe('right');
    });

    it('doubts a clock that jumps while the server runs, and accepts it once it is correct', async () => {
      const running = server(NOON);
      expect(await running.watch(3 * HOUR)).toEqual(['right']);
      running.clocks.wall += 400 * DAY;
      expect(await running.check()).toBe('doubted');
      running.clocks.wall -= 400 * DAY;
      expect(await running.check()).toBe('right');
    });

    it('doubts a clock while another server continues with a different time', async () => {
      const right = server(NOON);
      await right.check();
      const wrong = server(NOON + 400 * DAY);
      for (let quarters = 0; quarters < 12; quarters += 1) {
        expect(await right.watch(15 * MINUTE)).toEqual(['right']);
        expect(await wrong.watch(15 * MINUTE)).toEqual(['doubted']);
      }
    });
  });
}
