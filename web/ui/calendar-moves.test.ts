import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampToWindow, dayNumber, daysBetween, fromDayNumber } from '../../domain/calendar-date.ts';
import { weekdayName } from '../../domain/day-words.ts';
import { moveByKey, weeksOf } from './calendar-moves.ts';

const WINDOW = { earliest: '2027-02-27', latest: '2028-08-26' };

describe('moveByKey', () => {
  it.each([
    ['ArrowLeft', false, '2027-03-31'],
    ['ArrowRight', false, '2027-04-02'],
    ['ArrowUp', false, '2027-03-25'],
    ['ArrowDown', false, '2027-04-08'],
    ['PageUp', false, '2027-03-01'],
    ['PageDown', false, '2027-05-01'],
    ['PageDown', true, '2028-04-01'],
    ['Home', false, '2027-03-29'],
    ['End', false, '2027-04-04'],
  ])('moves by %s (Shift: %s) from Thursday 1 April 2027 to %s', (key, shiftKey, expected) => {
    expect(moveByKey('2027-04-01', key, shiftKey, WINDOW)).toBe(expected);
  });

  it.each([
    ['2027-03-31', 'PageDown', false, '2027-04-30'],
    ['2028-01-31', 'PageDown', false, '2028-02-29'],
    ['2028-02-29', 'PageUp', true, '2027-02-28'],
    ['2027-12-31', 'ArrowRight', false, '2028-01-01'],
    ['2028-02-28', 'ArrowRight', false, '2028-02-29'],
  ])('handles the ends of months and leap years: %s, %s (Shift: %s), %s', (date, key, shiftKey, expected) => {
    expect(moveByKey(date, key, shiftKey, WINDOW)).toBe(expected);
  });

  it.each([
    ['2027-03-10', 'PageUp', false, WINDOW.earliest],
    ['2027-02-27', 'ArrowLeft', false, WINDOW.earliest],
    ['2027-02-28', 'Home', false, WINDOW.earliest],
    ['2028-08-20', 'PageDown', false, WINDOW.latest],
    ['2027-09-01', 'PageDown', true, WINDOW.latest],
    ['2028-08-25', 'End', false, WINDOW.latest],
  ])('stops at the ends of the window: %s, %s (Shift: %s), %s', (date, key, shiftKey, expected) => {
    expect(moveByKey(date, key, shiftKey, WINDOW)).toBe(expected);
  });

  it('ignores other keys', () => {
    for (const key of ['Enter', ' ', 'Tab', 'Escape', 'a', '1']) {
      expect(moveByKey('2027-04-01', key, false, WINDOW)).toBeNull();
    }
  });

  it('never leaves the window, and keeps Home and End within the week', () => {
    const days = fc.integer({ min: dayNumber(WINDOW.earliest), max: dayNumber(WINDOW.latest) });
    const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];
    fc.assert(
      fc.property(days.map(fromDayNumber), fc.constantFrom(...keys), fc.boolean(), (date, key, shiftKey) => {
        const target = moveByKey(date, key, shiftKey, WINDOW) ?? '';
        expect(clampToWindow(target, WINDOW)).toBe(target);
        if (key === 'Home' && target !== WINDOW.earliest) expect(weekdayName(target)).toBe('Monday');
        if (key === 'End' && target !== WINDOW.latest) expect(weekdayName(target)).toBe('Sunday');
        if (key === 'Home' || key === 'End') expect(Math.abs(daysBetween(date, target))).toBeLessThan(7);
      }),
    );
  });
});

describe('weeksOf', () => {
  it.each([
    ['2027-02-14', 4, '2027-02-01', '2027-02-28'],
    ['2027-03-31', 5, '2027-03-01', '2027-04-04'],
    ['2027-05-01', 6, '2027-04-26', '2027-06-06'],
    ['2028-02-29', 5, '2028-01-31', '2028-03-05'],
  ])('has the whole weeks of the month of %s: %i, from %s to %s', (date, count, first, last) => {
    const weeks = weeksOf(date);
    expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.[6]]).toEqual([count, first, last]);
  });

  it('lists every day of a week once, from Monday to Sunday', () => {
    expect(weeksOf('2027-03-10')[4]).toEqual([
      '2027-03-29',
      '2027-03-30',
      '2027-03-31',
      '2027-04-01',
      '2027-04-02',
      '2027-04-03',
      '2027-04-04',
    ]);
  });
});
