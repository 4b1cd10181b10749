import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkPace } from './network-pace.ts';

describe('networkPace', () => {
  it('lets a network that is alone work all the time', () => {
    let now = 0;
    const pace = networkPace(() => now);
    for (let nth = 0; nth < 1_000; nth += 1) {
      expect(pace.reserve('one')).toBe(0);
      now += 4;
      pace.worked('one', 4);
      pace.present('one');
    }
  });

  it('gives a network that keeps asking a tenth of the time beside others, and the others all that they ask for', () => {
    let now = 0;
    const pace = networkPace(() => now);
    const waiting: number[] = [];
    let worked = 0;
    let refused = 0;
    for (; now < 10_000; now += 1) {
      const wait = pace.reserve('flood');
      if (wait === null) refused += 1;
      else waiting.push(now + wait);
      const due = waiting.findIndex((at) => at <= now);
      if (due !== -1) {
        waiting.splice(due, 1);
        worked += 4;
        pace.worked('flood', 4);
        pace.present('flood');
      }
      if (now % 100 === 0) {
        expect(pace.reserve('other')).toBe(0);
        pace.worked('other', 2);
        pace.present('other');
      }
    }
    expect(worked).toBeGreaterThan(900);
    expect(worked).toBeLessThan(1_300);
    expect(refused).toBeGreaterThan(5_000);
  });

  it('does not hold against a network what it took while it was alone', () => {
    let now = 0;
    const pace = networkPace(() => now);
    for (let nth = 0; nth < 500; nth += 1) {
      pace.reserve('early');
      now += 4;
      pace.worked('early', 4);
      pace.present('early');
    }
    pace.reserve('late');
    pace.worked('late', 1);
    pace.present('late');
    now += 500;
    expect(pace.reserve('early')).toBe(0);
  });

  it('never makes anyone wait for more than two seconds', () => {
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
          const wait = pace.reserve(network);
          if (wait === null) continue;
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThanOrEqual(2_000);
          pace.worked(network, ms);
          pace.present(network);
        }
      }),
    );
  });
});
