import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SendOutcome } from '../providers/message-provider.ts';
import { outcomeWriter } from './outcome-writer.ts';

const REFUSED: SendOutcome = { kind: 'rejected', code: '131026', retryAfterMs: null };
const AN_HOUR_MS = 60 * 60 * 1_000;

describe('outcomeWriter', () => {
  let written: number[];
  let lines: string[];
  let refused: (attempt: number) => boolean;
  let stopping: AbortController;
  let write: ReturnType<typeof outcomeWriter>;

  beforeEach(() => {
    vi.useFakeTimers();
    written = [];
    lines = [];
    refused = () => false;
    stopping = new AbortController();
    write = outcomeWriter(
      async (attempt) => {
        if (refused(attempt)) throw new Error('no store');
        written.push(attempt);
      },
      stopping.signal,
      (line) => lines.push(line),
    );
  });
  afterEach(() => vi.useRealTimers());

  it('writes outcomes immediately, in order', async () => {
    await Promise.all([write(1, REFUSED), write(2, REFUSED)]);
    expect(written).toEqual([1, 2]);
  });

  it('keeps outcomes while the store is unavailable, with one write attempt at a time', async () => {
    refused = () => true;
    const all = Promise.all([1, 2, 3].map((attempt) => write(attempt, REFUSED)));
    await vi.advanceTimersByTimeAsync(AN_HOUR_MS);
    expect(written).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(AN_HOUR_MS / 1_000 + 1);
    refused = () => false;
    await vi.advanceTimersByTimeAsync(1_000);
    await all;
    expect(new Set(written)).toEqual(new Set([1, 2, 3]));
  });

  it('writes the other outcomes even if one always fails', async () => {
    refused = (attempt) => attempt === 1;
    const others = [1, 2, 3].map((attempt) => write(attempt, REFUSED)).slice(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await Promise.all(others);
    expect(written).toEqual([2, 3]);
  });

  it('discards unwritten outcomes ten seconds after a stop', async () => {
    refused = () => true;
    const all = Promise.all([write(1, REFUSED), write(2, REFUSED)]);
    stopping.abort();
    await vi.advanceTimersByTimeAsync(12_000);
    await all;
    expect(written).toEqual([]);
  });
});
