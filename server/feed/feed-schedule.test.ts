import { describe, expect, it, vi } from 'vitest';
import { embeddedStore } from '../storage/store-address.ts';
import { startFeedSchedule } from './feed-schedule.ts';

const POSTGRES = { kind: 'postgresql' as const, url: '', readUrls: [] };

/** A schedule whose imports end when the test says so. */
function schedule(store: Parameters<typeof startFeedSchedule>[0]['store'], codes: string[]) {
  const started: string[] = [];
  const lines: string[] = [];
  const ends = new Map<string, (ended: { exit: number; said: string }) => void>();
  const running = startFeedSchedule({
    store,
    log: (level, line) => lines.push(`${level} ${line}`),
    due: () => Promise.resolve(codes),
    run(code, signal) {
      started.push(code);
      return new Promise((settle, fail) => {
        ends.set(code, settle);
        signal.addEventListener('abort', () => fail(new Error('aborted')));
      });
    },
    every: 1,
  });
  return {
    started,
    lines,
    running,
    end: (code: string, exit = 0, said = '') => ends.get(code)?.({ exit, said }),
  };
}

describe('the schedule', () => {
  it('queues the imports of an embedded store, one after the other', async () => {
    const codes = ['ONE', 'TWO'];
    const { started, lines, running, end } = schedule(embeddedStore('/nowhere'), codes);
    await vi.waitFor(() => expect(started).toEqual(['ONE']));
    codes.shift();
    end('ONE', 3, 'held for review');
    await vi.waitFor(() => expect(started).toEqual(['ONE', 'TWO']));
    expect(lines).toEqual(['warn Feed of ONE: held for review']);
    await running.stop();
  });

  it('runs two providers of PostgreSQL side by side, and each once', async () => {
    const { started, running, end } = schedule(POSTGRES, ['ONE', 'TWO', 'THREE']);
    await vi.waitFor(() => expect(started).toEqual(['ONE', 'TWO']));
    end('TWO');
    await vi.waitFor(() => expect(started.slice(2)).toContain('TWO'));
    expect(started.filter((code) => code === 'ONE')).toHaveLength(1);
    await running.stop();
  });
});
