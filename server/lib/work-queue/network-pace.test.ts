import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkPace, PACE_OF_THREADS, type Reservation } from './network-pace.ts';

describe('networkPace', () => {
  it('lets a network that is alone work all the time', () => {
    let now = 0;
    const pace = networkPace(() => now);
    for (let nth = 0; nth < 1_000; nth += 1) {
      const reserved = pace.reserve('one');
      expect(reserved).toMatchObject({ wait: 0 });
      expect(reserved?.isHeldBack()).toBe(false);
      now += 4;
      reserved?.worked(4);
      pace.present('one');
    }
  });

  it('gives a network that keeps asking a tenth of the time beside others, and the others all that they ask for', () => {
    let now = 0;
    const pace = networkPace(() => now);
    const waiting: { from: number; reserved: Reservation }[] = [];
    let worked = 0;
    let refused = 0;
    for (; now < 10_000; now += 1) {
      const reserved = pace.reserve('flood');
      if (reserved === null) refused += 1;
      else waiting.push({ from: now + reserved.wait, reserved });
      const due = waiting.findIndex(({ from }) => from <= now);
      if (due !== -1) {
        const [begun] = waiting.splice(due, 1);
        worked += 4;
        begun?.reserved.worked(4);
        pace.present('flood');
      }
      if (now % 100 === 0) {
        const other = pace.reserve('other');
        expect(other).toMatchObject({ wait: 0 });
        other?.worked(2);
        pace.present('other');
      }
    }
    expect(worked).toBeGreaterThan(900);
    expect(worked).toBeLessThan(1_300);
    expect(refused).toBeGreaterThan(5_000);
  });

  it('makes a network wait after work that nothing was set aside for, beside others only', () => {
    let now = 0;
    const pace = networkPace(() => now);
    pace.present('one');
    for (let nth = 0; nth < 500; nth += 1) {
      expect(pace.charge('one', 3)).toBe(0);
      now += 3;
      pace.present('one');
    }
    const from = now;
    let worked = 0;
    while (now < from + 10_000) {
      pace.present('other');
      worked += 3;
      now += 3 + pace.charge('one', 3);
    }
    expect(worked).toBeGreaterThan(900);
    expect(worked).toBeLessThan(1_300);
    expect(pace.reserve('one')?.wait).toBeGreaterThan(0);
    expect(pace.reserve('other')).toMatchObject({ wait: 0 });
  });

  it('does not hold against a network what it took while it was alone', () => {
    let now = 0;
    const pace = networkPace(() => now);
    for (let nth = 0; nth < 500; nth += 1) {
      const reserved = pace.reserve('early');
      now += 4;
      reserved?.worked(4);
      pace.present('early');
    }
    pace.reserve('late')?.worked(1);
    pace.present('late');
    now += 500;
    expect(pace.reserve('early')).toMatchObject({ wait: 0 });
  });

  it('gives back no more than was set aside for work that began while its network was alone', () => {
    let now = 0;
    const pace = networkPace(() => now, PACE_OF_THREADS);
    const begun = Array.from({ length: 64 }, () => pace.reserve('flood', 'flood', 100));
    pace.present('other');
    // Each was expected to take 100 ms and took eight: together they have used up the burst all the same.
    for (const reserved of begun) {
      now += 1;
      reserved?.worked(8);
    }
    pace.present('other');
    expect(pace.reserve('flood', 'flood', 100)?.wait).toBeGreaterThan(0);
  });

  it('counts what work has taken, whatever it was expected to take', () => {
    let now = 0;
    const pace = networkPace(() => now);
    let [onMain, rest] = [0, 0];
    // Each second another network asks, and this one asks twenty times for little and then for much at once.
    for (let second = 0; second < 60; second += 1) {
      now = second * 1_000;
      pace.reserve('other')?.worked(1);
      pace.present('other');
      for (let nth = 0; nth < 20; nth += 1) pace.reserve('mixed')?.worked(0.1);
      const atOnce = Array.from({ length: 20 }, () => pace.reserve('mixed'));
      for (const reserved of atOnce) {
        if (reserved === null) continue;
        // What is held back is worked on elsewhere.
        const ms = reserved.isHeldBack() ? 0.3 : 26;
        if (ms === 26) onMain += ms;
        else rest += ms;
        reserved.worked(ms);
      }
    }
    expect(onMain).toBeGreaterThan(100);
    expect(onMain + rest).toBeLessThan(0.13 * 60_000);
  });

  it('does not hold a machine that has stood still against whoever was at work', () => {
    let now = 0;
    const pace = networkPace(() => now);
    pace.reserve('other')?.worked(1);
    pace.present('other');
    pace.reserve('one')?.worked(60_000);
    pace.present('one');
    now += 900;
    pace.present('other');
    expect(pace.reserve('one')?.wait).toBeLessThan(1_200);
  });

  it('remembers a thousand networks, and forgets the one that has not asked for the longest time', () => {
    const pace = networkPace(() => 0);
    pace.present('other');
    let last = 0;
    const othersAsk = (count: number) => {
      for (let nth = 0; nth < count; nth += 1) pace.reserve(`visitor ${++last}`);
    };
    for (let nth = 0; nth < 3; nth += 1) pace.charge('greedy', 50);
    othersAsk(999);
    expect(pace.charge('greedy', 0)).toBeGreaterThan(0);
    othersAsk(999);
    expect(pace.charge('greedy', 0)).toBeGreaterThan(0);
    othersAsk(1_000);
    expect(pace.charge('greedy', 0)).toBe(0);
  });

  it('gives the time of work back that does not take place', () => {
    const pace = networkPace(() => 0);
    pace.reserve('other')?.worked(1);
    pace.present('other');
    const waits = Array.from({ length: 1_000 }, () => {
      const reserved = pace.reserve('one');
      reserved?.release();
      return reserved?.wait;
    });
    expect(new Set(waits)).toEqual(new Set([0]));
  });

  it('never makes anyone wait for more than 1.2 seconds', () => {
    const steps = fc.array(
      fc.record({
        network: fc.constantFrom('a', 'b', 'c'),
        passed: fc.integer({ min: 0, max: 300 }),
        ms: fc.integer({ min: 0, max: 50 }),
      }),
    );
    fc.assert(
      fc.property(steps, (all) => {
        let now = 0;
        const pace = networkPace(() => now);
        for (const { network, passed, ms } of all) {
          now += passed;
          const reserved = pace.reserve(network);
          if (reserved === null) continue;
          expect(reserved.wait).toBeGreaterThanOrEqual(0);
          expect(reserved.wait).toBeLessThanOrEqual(1_200);
          reserved.worked(ms);
          pace.present(network);
        }
      }),
    );
  });
});
