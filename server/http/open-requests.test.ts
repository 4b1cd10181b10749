import { describe, expect, it } from 'vitest';
import { openRequests } from './open-requests.ts';

const LIMITS = { all: 10, ofNetwork: 6, ofNetworkWhileFull: 2, most: 14 };

/** Opens requests of one network for as long as it may. */
function openAll(requests: ReturnType<typeof openRequests>, network: string) {
  const opened = [];
  while (requests.allows(network)) opened.push(requests.open(network));
  return opened;
}

describe('Open requests', () => {
  it('of one network are limited, and others get in beside them', () => {
    const requests = openRequests(LIMITS);
    const opened = openAll(requests, 'a');
    expect(opened).toHaveLength(6);
    expect(requests.allows('b')).toBe(true);
    opened[0]?.end();
    expect(requests.allows('a')).toBe(true);
  });

  it('of a few networks that hold all of them leave each other one a place', () => {
    const requests = openRequests(LIMITS);
    expect(openAll(requests, 'a')).toHaveLength(6);
    expect(openAll(requests, 'b')).toHaveLength(4);
    expect(openAll(requests, 'c')).toHaveLength(2);
    expect(openAll(requests, 'd')).toHaveLength(2);
    expect(requests.all()).toBe(14);
    expect(requests.allows('e')).toBe(false);
  });

  it('whose refusals are held back count for their network alone', () => {
    const requests = openRequests(LIMITS);
    const held = openAll(requests, 'a');
    for (const one of held) one.hold();
    expect(requests.all()).toBe(0);
    expect(requests.allows('a')).toBe(false);
    for (const one of held) one.end();
    expect(requests.all()).toBe(0);
    expect(requests.allows('a')).toBe(true);
  });

  it('end once, however often they are told to', () => {
    const requests = openRequests(LIMITS);
    const [one] = openAll(requests, 'a');
    one?.end();
    one?.end();
    expect(requests.all()).toBe(5);
    expect(openAll(requests, 'a')).toHaveLength(1);
  });
});
