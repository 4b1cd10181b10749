import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { warnOfShortMemory } from './short-memory.ts';

/** The warnings of three minutes, with a look each second; memory is short in some seconds of each minute. */
function warningsOf(isShort: (second: number) => boolean): string[] {
  const clock = virtualClock();
  const warnings: string[] = [];
  let second = 0;
  const memory = () => ({ memoryShare: isShort(second % 60) ? 0.9 : 0.5 });
  const look = warnOfShortMemory(0.85, memory, clock, (text) => warnings.push(text));
  for (second = 1; second <= 180; second += 1) {
    clock.block(1_000);
    look();
  }
  return warnings;
}

it('warns once a minute while memory stays short', () => {
  expect(warningsOf(() => true)).toEqual([
    expect.stringMatching(/^For 60 seconds of the last minute .* over 85% of the memory/),
    expect.stringMatching(/^For 60 seconds/),
    expect.stringMatching(/^For 60 seconds/),
  ]);
});

it('counts short times together, and leaves out those that soon end', () => {
  expect(warningsOf((second) => second % 5 === 0)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^For 12 seconds/)),
  );
  expect(warningsOf((second) => second % 7 === 1)).toEqual([]);
});
