import { describe, expect, it } from 'vitest';
import { openRequests } from './open-requests.ts';

const LIMITS = { all: 10, ofNetwork: 6, ofNetworkWhileFull: 2, ofPageWhileFull: 3, most: 14 };

/** Opens requests of one network that are no pages, for as long as it may. */
function openAll(requests: ReturnType<typeof openRequests>, network: string, isUpload = false) {
  const opened = [];
  while (requests.allows(network, false)) opened.push(requests.open(network, isUpload));
  return opened;
}

describe('Open requests', () => {
  it('of one network are limited, and others get in beside them', () => {
    const requests = openRequests(LIMITS);
    const opened = openAll(requests, 'a');
    expect(opened).toHaveLength(6);
    expect(requests.allows('b', false)).toBe(true);
    opened[0]?.end();
    expect(requests.allows('a', false)).toBe(true);
  });

  it('of a few networks that hold all of them leave each other one a place', () => {
    const requests = openRequests(LIMITS);
    expect(openAll(requests, 'a')).toHaveLength(6);
    expect(openAll(requests, 'b')).toHaveLength(4);
    expect(openAll(requests, 'c')).toHaveLength(2);
    expect(openAll(requests, 'd')).toHaveLength(2);
    expect(requests.all()).toBe(14);
    expect(requests.allows('e', false)).toBe(false);
  });

  it('of pages and their files are side by side also while others hold all of them', () => {
    const requests = openRequests(LIMITS);
    openAll(requests, 'a');
    openAll(requests, 'b');
    const parts = [];
    while (requests.allows('c', true)) parts.push(requests.open('c', false));
    expect(parts).toHaveLength(3);
    expect(requests.allows('d', true)).toBe(true);
  });

  it('whose bodies have not arrived take no place from others, and count among all when they have', () => {
    const requests = openRequests(LIMITS);
    const uploads = ['a', 'b', 'c', 'd'].flatMap((network) => openAll(requests, network, true));
    expect(uploads).toHaveLength(24);
    expect(requests.all()).toBe(0);
    expect(openAll(requests, 'e')).toHaveLength(6);
    uploads[0]?.arrive();
    uploads[0]?.arrive();
    expect(requests.all()).toBe(7);
    for (const upload of uploads) upload.end();
    expect(requests.all()).toBe(6);
    uploads[1]?.arrive();
    expect(requests.all()).toBe(6);
    expect(openAll(requests, 'a')).toHaveLength(4);
  });

  it('whose refusals are held back count for their network alone', () => {
    const requests = openRequests(LIMITS);
    const held = openAll(requests, 'a');
    for (const one of held) one.hold();
    expect(requests.all()).toBe(0);
    expect(requests.allows('a', false)).toBe(false);
    for (const one of held) one.end();
    expect(requests.all()).toBe(0);
    expect(requests.allows('a', false)).toBe(true);
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
