import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { startFeedSchedule } from './feed-schedule.ts';

const MINUTE_MS = 60_000;

/** A schedule whose imports end when the test says so. */
function schedule(codes: string[]) {
  const clock = virtualClock();
  const started: string[] = [];
  const lines: string[] = [];
  const ends = new Map<string, (ended: { exit: number; said: string }) => void>();
  const running = startFeedSchedule({
    log: (level, line) => lines.push(`${level} ${line}`),
    clock,
    due: () => Promise.resolve(codes),
    run(code, signal) {
      started.push(code);
      return new Promise((settle, fail) => {
        ends.set(code, settle);
        signal.addEventListener('abort', () => fail(new Error('aborted')));
      });
    },
  });
  return {
    started,
    lines,
    running,
    async end(code: string, exit = 0, said = '') {
      ends.get(code)?.({ exit, said });
      await setImmediate();
    },
    async pass(ms: number) {
      await setImmediate();
      await clock.advance(ms);
    },
  };
}

describe('the schedule', () => {
  it('fetches other providers’ feeds while a download is slow, and each once', async () => {
    const codes = ['SLOW', 'TWO'];
    const { started, lines, running, end, pass } = schedule(codes);
    await pass(0);
    expect(started).toEqual(['SLOW', 'TWO']);
    codes.pop();
    codes.push('THREE');
    await end('TWO', 3, 'held for review');
    await pass(MINUTE_MS);
    expect(started).toEqual(['SLOW', 'TWO', 'THREE']);
    expect(lines).toEqual(['warn Feed of TWO: held for review']);
    await running.stop();
  });

  it('runs at most four at the same time', async () => {
    const codes = ['A', 'B', 'C', 'D', 'E'];
    const { started, running, end, pass } = schedule(codes);
    await pass(MINUTE_MS);
    expect(started).toEqual(['A', 'B', 'C', 'D']);
    codes.splice(2, 1);
    await end('C');
    await pass(MINUTE_MS);
    expect(started).toEqual(['A', 'B', 'C', 'D', 'E']);
    await running.stop();
  });

  it('retries work that stays due after 1, 5, 15 and 60 minutes, and runs other providers meanwhile', async () => {
    const codes = ['FULL', 'GOOD'];
    const { started, running, end, pass } = schedule(codes);
    const tries: number[] = [];
    for (let minute = 0; minute <= 150; minute += 1) {
      await pass(minute === 0 ? 0 : MINUTE_MS);
      if (started.includes('FULL')) tries.push(minute);
      expect(started).toContain('GOOD');
      started.length = 0;
      await end('FULL', 1, 'the disk is full');
      await end('GOOD');
    }
    expect(tries).toEqual([0, 1, 6, 21, 81, 141]);
    await running.stop();
  });
});
