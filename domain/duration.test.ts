import { describe, expect, it } from 'vitest';
import { DEFAULT_DURATION, DURATIONS, formatFlightDuration, parseDuration } from './duration.ts';

describe('durations', () => {
  // @proves 9.4
  it('are 4, 7, 10 and 14 nights, 7 by default (Section 9)', () => {
    expect(DURATIONS).toEqual([4, 7, 10, 14]);
    expect(DEFAULT_DURATION).toBe(7);
  });

  it.each(DURATIONS)('parses the text of %d', (nights) => {
    expect(parseDuration(String(nights))).toBe(nights);
  });

  it.each(['', '0', '5', '-7', '7.0', '07', '7 nights', '1e1', 'NaN'])('rejects %j', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('formatFlightDuration', () => {
  // @proves 2.35
  it.each([
    [155, '2h 35m'],
    [60, '1h 0m'],
    [45, '0h 45m'],
    [0, '0h 0m'],
    [725, '12h 5m'],
    [1500, '25h 0m'],
    [119.6, '2h 0m'],
    [-5, '0h 0m'],
  ])('%d minutes is %s', (minutes, shown) => {
    expect(formatFlightDuration(minutes)).toBe(shown);
  });
});
