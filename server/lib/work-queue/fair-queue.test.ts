import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fairQueue, type Queued } from './fair-queue.ts';

describe('fairQueue', () => {
  const entry = (network: string, cost = 1): Queued => ({ network, cost });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('takes turns between networks, whoever has queued more', () => {
    const queue = fairQueue();
    for (let nth = 0; nth < 4; nth += 1) queue.push(entry('a'));
    queue.push(entry('b'));
    queue.push(entry('b'));
    const order = Array.from({ length: 6 }, () => queue.next()?.network);
    expect(order.slice(0, 4).filter((network) => network === 'b')).toHaveLength(2);
    expect(queue.next()).toBeNull();
  });

  it('puts a small entry before large ones that came first, of the same network only if they came later', () => {
    const queue = fairQueue();
    queue.push(entry('a', 1_000));
    queue.push(entry('a', 1));
    queue.push(entry('b', 500));
    queue.push(entry('c', 1));
    expect(Array.from({ length: 4 }, () => queue.next())).toEqual([
      entry('c', 1),
      entry('b', 500),
      entry('a', 1_000),
      entry('a', 1),
    ]);
  });

  it('puts a network of greater weight before many others, and does not drop its entry for theirs', () => {
    const queue = fairQueue();
    for (let nth = 0; nth < 20; nth += 1) queue.push(entry(`visitor ${nth}`));
    const webhook = { ...entry('provider'), weight: 10 };
    expect(queue.lastOfHeaviest(webhook)?.network).toBe('visitor 0');
    queue.push(webhook);
    expect(queue.next()).toBe(webhook);
    // Beyond its turns, it waits for the others like anybody.
    for (let nth = 0; nth < 40; nth += 1) queue.push(webhook);
    const networks = Array.from({ length: 30 }, () => queue.next()?.network);
    expect(networks.filter((network) => network === 'provider')).toHaveLength(10);
  });

  it('gives who has had a turn another one, however many networks ask for the first time', () => {
    const queue = fairQueue();
    queue.push(entry('returning'));
    let last = 0;
    const turns: number[] = [];
    for (let nth = 0; nth < 1_000; nth += 1) {
      while (queue.length < 50) queue.push(entry(`new ${++last}`));
      if (queue.next()?.network !== 'returning') continue;
      turns.push(nth);
      queue.push(entry('returning'));
    }
    expect(turns.length).toBeGreaterThan(1_000 / 60);
    expect(Math.max(...turns.map((turn, at) => turn - (turns[at - 1] ?? 0)))).toBeLessThan(60);
  });

  it('says what comes before an entry that waits, in all and of its network', () => {
    const queue = fairQueue();
    const [small, large, last] = [entry('a', 10), entry('b', 100), entry('a', 50)];
    for (const one of [large, small, last, entry('c', 1_000)]) queue.push(one);
    expect(queue.costAhead(small)).toEqual({ all: 0, ofNetwork: 0 });
    expect(queue.costAhead(last)).toEqual({ all: 10, ofNetwork: 10 });
    expect(queue.costAhead(large)).toEqual({ all: 60, ofNetwork: 0 });
  });

  it('gives a network that hangs up its place back', () => {
    const queue = fairQueue();
    queue.push(entry('b', 5));
    const left = entry('a', 100);
    queue.push(left);
    expect(queue.remove(left)).toBe(true);
    expect(queue.remove(left)).toBe(false);
    const back = entry('a', 1);
    queue.push(back);
    expect(queue.next()).toBe(back);
  });

  it('takes the cost of what hangs up off the wait of others', () => {
    const queue = fairQueue();
    const [stays, leaves] = [entry('a', 10), entry('b', 100)];
    queue.push(stays);
    queue.push(leaves);
    expect(queue.costBefore(entry('c', 1_000))).toBe(110);
    queue.remove(leaves);
    expect(queue.costBefore(entry('c', 1_000))).toBe(10);
    expect(queue.costOf('b')).toBe(0);
  });

  it('remembers networks while they wait, and not all that have ever had a turn', () => {
    const set = vi.spyOn(Map.prototype, 'set');
    const queue = fairQueue();
    // The queue is never empty.
    for (let nth = 0; nth < 1_000; nth += 1) {
      queue.push(entry(`visitor ${nth}`));
      if (nth > 4) queue.next();
    }
    const maps = new Set(set.mock.contexts as Map<unknown, unknown>[]);
    expect(maps.size).toBeGreaterThan(0);
    expect(Math.max(...[...maps].map((map) => map.size))).toBeLessThan(100);
  });

  it('remembers who waits behind its own work while many others come and go', () => {
    const queue = fairQueue();
    queue.push(entry('greedy', 50));
    for (let nth = 0; nth < 40; nth += 1) {
      queue.push(entry(`visitor ${nth}`));
      queue.next();
    }
    // Its next work comes behind its first, and behind whoever asks for less than both.
    queue.push(entry('greedy', 1));
    queue.push(entry('late', 5));
    const order = Array.from({ length: 3 }, () => queue.next());
    expect(order.map((next) => next?.network)).toEqual(['late', 'greedy', 'greedy']);
    expect(order[2]).toEqual(entry('greedy', 1));
  });

  it('names the last entry of a network with more than the caller would have, and none otherwise', () => {
    const queue = fairQueue();
    const [first, second] = [entry('a', 3), entry('a', 3)];
    queue.push(first);
    queue.push(second);
    expect(queue.lastOfHeaviest(entry('b', 1))).toBe(second);
    expect(queue.lastOfHeaviest(entry('b', 6))).toBeNull();
    expect(queue.lastOfHeaviest(entry('a', 1))).toBeNull();
  });

  it('holds exactly what was pushed and neither removed nor taken', () => {
    const steps = fc.array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 9 }), fc.nat(3)));
    fc.assert(
      fc.property(steps, (all) => {
        const queue = fairQueue();
        const inside = new Set<Queued>();
        for (const [network, cost, action] of all) {
          const [some] = inside;
          if (action === 0) {
            const taken = queue.next();
            expect(taken === null).toBe(inside.size === 0);
            if (taken !== null) expect(inside.delete(taken)).toBe(true);
          } else if (action === 1 && some !== undefined) {
            expect(queue.remove(some)).toBe(inside.delete(some));
          } else {
            const pushed = entry(String(network), cost);
            inside.add(pushed);
            queue.push(pushed);
          }
          expect(new Set(queue.entries())).toEqual(inside);
        }
      }),
    );
  });

  it('shares the work of networks that all have enough to do equally by cost, to within one entry of each', () => {
    const costs = fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 5, maxLength: 20 }), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(costs, (networks) => {
        const queue = fairQueue();
        for (const [network, all] of networks.entries()) {
          for (const cost of all) queue.push(entry(String(network), cost));
        }
        const left = networks.map((all) => all.length);
        const done = networks.map(() => 0);
        for (let next = queue.next(); next !== null; next = queue.next()) {
          const network = Number(next.network);
          done[network] = (done[network] ?? 0) + next.cost;
          left[network] = (left[network] ?? 0) - 1;
          if (left.includes(0)) break;
          expect(Math.max(...done) - Math.min(...done)).toBeLessThanOrEqual(2 * 50);
        }
      }),
    );
  });
});
