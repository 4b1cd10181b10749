import { describe, expect, it, vi } from 'vitest';
import { heldBodies } from './held-bodies.ts';

describe('heldBodies', () => {
  it('ends the upload that has been unfinished the longest to make room for another', () => {
    const bodies = heldBodies(100, 10);
    const ends = [vi.fn(), vi.fn(), vi.fn()];
    const [first, second, third] = ends.map((end) => bodies.hold(end));
    expect([first?.resize(50), second?.resize(50), third?.resize(30)]).toEqual([true, true, true]);
    expect(ends.map((end) => end.mock.calls.length)).toEqual([1, 0, 0]);
    expect(bodies.bytes).toBe(80);
    expect(first?.resize(10)).toBe(false);
  });

  it('never ends a complete body, and refuses one that does not fit', () => {
    const bodies = heldBodies(100, 10);
    const end = vi.fn();
    const first = bodies.hold(end);
    first.resize(80);
    first.complete();
    expect(bodies.hold(() => {}).resize(30)).toBe(false);
    expect(end).not.toHaveBeenCalled();
    expect(bodies.bytes).toBe(80);
  });

  it('ends the upload that has been unfinished the longest to make place for another, whatever it has sent', () => {
    const bodies = heldBodies(100, 3);
    const ends = Array.from({ length: 5 }, () => vi.fn());
    const [first, second] = ends.slice(0, 3).map((end) => bodies.hold(end));
    first?.complete();
    bodies.hold(ends[3] ?? vi.fn());
    expect(ends.every((end) => end.mock.calls.length === 0)).toBe(true);
    bodies.hold(ends[4] ?? vi.fn());
    expect(ends.map((end) => end.mock.calls.length)).toEqual([0, 1, 0, 0, 0]);
    expect(second?.resize(10)).toBe(false);
    expect(first?.resize(10)).toBe(true);
  });

  it('counts what has been released no longer, however often it is released', () => {
    const bodies = heldBodies(100, 10);
    const body = bodies.hold(() => {});
    body.resize(60);
    body.resize(90);
    body.release();
    body.release();
    expect(bodies.bytes).toBe(0);
  });
});
