import { describe, expect, it } from 'vitest';
import { ANY_TIME, departureSpan, whenOptions, whenWords } from './departure-span.ts';

const TODAY = '2026-11-22';

describe('departureSpan', () => {
  it.each([
    ['any', '2026-11-23', '2028-05-22'],
    ['2027-02', '2027-02-01', '2027-02-28'],
    ['2028-02', '2028-02-01', '2028-02-29'],
    ['2027-H1', '2027-01-01', '2027-06-30'],
    ['2026-11', '2026-11-23', '2026-11-30'],
    ['2026-H2', '2026-11-23', '2026-12-31'],
    ['2028-H1', '2028-01-01', '2028-05-22'],
  ])('reads %s as its searchable days', (when, first, last) => {
    expect(departureSpan(when, TODAY)).toEqual({ first, last });
  });

  it.each(['2026-10', '2026-H1', '2028-06', '2027-13', '2027-H3', '2027', 'May', ''])(
    'rejects %j',
    (when) => {
      expect(departureSpan(when, TODAY)).toBeNull();
    },
  );
});

describe('whenOptions', () => {
  it('has every month and half-year with searchable days, and no other', () => {
    const { halves, months } = whenOptions(TODAY);
    expect(months).toHaveLength(19);
    expect(months.at(0)).toEqual({ value: '2026-11', label: 'November 2026' });
    expect(halves.map(({ value }) => value)).toEqual(['2026-H2', '2027-H1', '2027-H2', '2028-H1']);
    for (const { value } of [...halves, ...months]) expect(departureSpan(value, TODAY)).not.toBeNull();
  });

  it('omits a month without days left', () => {
    expect(whenOptions('2026-11-30').months[0]?.value).toBe('2026-12');
  });
});

describe('whenWords', () => {
  it('names a month, a half-year and any time', () => {
    expect(whenWords(ANY_TIME)).toBe('at any time');
    expect(whenWords('2027-05')).toBe('in May 2027');
    expect(whenWords('2027-H2')).toBe('from July to December 2027');
  });
});
