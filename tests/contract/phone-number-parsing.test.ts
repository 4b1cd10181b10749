import { describe, expect, it } from 'vitest';
import { readPhoneStrings } from '../soak/phone-strings.ts';

describe('Parsing phone strings', () => {
  it('gives each number one key and one canonical form, and accepts no invalid mobile number', () => {
    const report = readPhoneStrings(100_000, 1);
    expect(report.wrong).toEqual([]);
    expect(report.accepted).toBeGreaterThan(60_000);
    expect(report.mobiles).toBeLessThan(report.accepted);
  });
});
