import { describe, expect, it } from 'vitest';
import { readPhoneStrings } from '../soak/phone-strings.ts';

describe('Phone strings', () => {
  it('give one key a number, a stable form, and no mobile that is none', () => {
    const report = readPhoneStrings(100_000, 1);
    expect(report.wrong).toEqual([]);
    expect(report.accepted).toBeGreaterThan(60_000);
    expect(report.mobiles).toBeLessThan(report.accepted);
  });
});
