import { expect, it } from 'vitest';
import { firstDayOfMonth, monthOfDay } from './month.ts';

it('knows the first day of each month of four centuries', () => {
  for (let month = -2_400; month <= 2_400; month += 1) {
    expect(firstDayOfMonth(month)).toBe(Date.UTC(1970, month, 1) / 86_400_000);
    expect(monthOfDay(firstDayOfMonth(month))).toBe(month);
  }
});
