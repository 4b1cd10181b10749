import { beforeEach, describe, expect, it } from 'vitest';
import { type VirtualClock, virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { type LoadShedding, loadShedding } from './load-shedding.ts';

describe('The usual limits', () => {
  let clock: VirtualClock;
  let shedding: LoadShedding;
  beforeEach(() => {
    clock = virtualClock();
    const memory = () => ({ heapShare: 0, memoryShare: 0, enoughShare: 0 });
    shedding = loadShedding({ clock, registry: null, memory });
  });

  const shed = (network: string, isOfPage = false) => shedding.shed({ network, isOfPage });
  /** Opens requests of a network until one is refused, or so many. Returns how many were opened. */
  function openAll(network: string, most = Number.POSITIVE_INFINITY, isOfPage = false): number {
    let opened = 0;
    for (; opened < most && shed(network, isOfPage) === null; opened += 1) {
      shedding.requests.open(network, false);
    }
    return opened;
  }

  it('let a network have 100 requests open', () => {
    expect(openAll('a')).toBe(100);
    expect(shed('a')).toBe('requests');
    expect(shed('b')).toBeNull();
  });

  it('let a network have 2 open, or 20 of a page, while 1,000 are', () => {
    for (let nth = 0; nth < 9; nth += 1) openAll(`${nth}`);
    expect(openAll('one less', 99)).toBe(99);
    // The 1,000th is within the limit.
    expect(openAll('a')).toBe(2);
    expect(openAll('b')).toBe(2);
    expect(openAll('c', Number.POSITIVE_INFINITY, true)).toBe(20);
  });

  it('let 10 be open while the event loop is late', () => {
    for (let nth = 0; nth < 3; nth += 1) {
      clock.block(800);
      clock.step();
    }
    expect(openAll('a')).toBe(10);
    expect(shed('a')).toBe('event loop');
  });
});
