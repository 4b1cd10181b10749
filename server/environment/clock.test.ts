import { describe, expect, it } from 'vitest';
import { readClockOffset } from './clock.ts';

const HOUR_MS = 3_600_000;

describe('CLOCK', () => {
  it.each([
    ['+3h', 3 * HOUR_MS],
    ['-45m', -0.75 * HOUR_MS],
    ['+2d', 48 * HOUR_MS],
  ])('adds %s to the machine clock', (text, value) => {
    expect(readClockOffset({ CLOCK: text })).toEqual({ kind: 'read', value });
  });

  it('is the machine clock if it is not set', () => {
    expect(readClockOffset({ NODE_ENV: 'production' })).toEqual({ kind: 'read', value: 0 });
    expect(readClockOffset({ CLOCK: '' })).toEqual({ kind: 'read', value: 0 });
  });

  it('starts at an instant', () => {
    const instant = '2031-06-01T22:30:00+01:00';
    const before = Date.now();
    const read = readClockOffset({ CLOCK: instant });
    const after = Date.now();
    const offset = read.kind === 'read' ? read.value : 0;
    expect(offset + after).toBeGreaterThanOrEqual(Date.parse(instant));
    expect(offset + before).toBeLessThanOrEqual(Date.parse(instant));
  });

  it.each(['tomorrow', '22:30', '2031-06-01', '3h', '+3'])('refuses %s', (text) => {
    expect(readClockOffset({ CLOCK: text })).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('CLOCK must be an instant'),
    });
  });

  it('is refused in production', () => {
    expect(readClockOffset({ CLOCK: '+3h', NODE_ENV: 'production' })).toMatchObject({ kind: 'refused' });
  });
});
