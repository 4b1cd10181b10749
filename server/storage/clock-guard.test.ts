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
      database = openDatabase(store.address);
    });
    afterEach(async () => {
      database.close();
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
        check: () => check().kind,
        /** Checks the clock every minute. Returns the verdicts, with repeated ones combined. */
        watch(ms: number) {
          const seen: string[] = [];
          for (let passed = 0; passed < ms; passed += MINUTE) {
            pass(MINUTE);
            const { kind } = check();
            if (seen.at(-1) !== kind) seen.push(kind);
          }
          return seen;
        },
      };
    }

    it('accepts the clock of a new store, a day later, and after a small correction', () => {
      expect(server(NOON).check()).toBe('right');
      expect(server(NOON + DAY).check()).toBe('right');
      expect(server(NOON + DAY - 5 * MINUTE).check()).toBe('right');
    });

    it('doubts the clock for an hour if no server ran for a week', () => {
      server(NOON).check();
      const later = server(NOON + 7 * DAY);
      expect(later.check()).toBe('doubted');
      expect(later.watch(59 * MINUTE)).toEqual(['doubted']);
      expect(checkClock(database, later.clocks.wall)).toMatchObject({ kind: 'doubted', last: NOON });
      expect(later.watch(2 * MINUTE)).toContain('right');
      expect(checkClock(database, later.clocks.wall).kind).toBe('right');
      expect(server(later.clocks.wall).check()).toBe('right');
    });

    it.each([400 * DAY, -400 * DAY])('doubts a clock that is %i ms off for less than an hour', (off) => {
      server(NOON).check();
      const wrong = server(NOON + off);
      expect([wrong.check(), ...wrong.watch(50 * MINUTE)]).toEqual(['doubted', 'doubted']);
      wrong.clocks.wall -= off;
      expect(wrong.check()).toBe('right');
    });

    it('doubts the clock for an hour after its last jump', () => {
      server(NOON).check();
      const restless = server(NOON + 400 * DAY);
      restless.watch(50 * MINUTE);
      restless.clocks.wall += DAY;
      expect(restless.watch(55 * MINUTE)).toEqual(['doubted']);
      expect(restless.watch(10 * MINUTE).at(-1)).toBe('right');
    });

    it('doubts a clock that jumps while the server runs, and accepts it once it is correct', () => {
      const running = server(NOON);
      expect(running.watch(3 * HOUR)).toEqual(['right']);
      running.clocks.wall += 400 * DAY;
      expect(running.check()).toBe('doubted');
      running.clocks.wall -= 400 * DAY;
      expect(running.check()).toBe('right');
    });

    it('doubts a clock while another server continues with a different time', () => {
      const right = server(NOON);
      right.check();
      const wrong = server(NOON + 400 * DAY);
      for (let quarters = 0; quarters < 12; quarters += 1) {
        expect(right.watch(15 * MINUTE)).toEqual(['right']);
        expect(wrong.watch(15 * MINUTE)).toEqual(['doubted']);
      }
    });
  });
}
