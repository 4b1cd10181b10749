import { afterEach, describe, expect, it } from 'vitest';
import { dateTimeToMs, offsetMinutes, parseDateTime, parseInstant } from './date-time.ts';

describe('parseDateTime', () => {
  it.each([
    ['2027-05-01T06:30:00+01:00', '2027-05-01T06:30:00+01:00'],
    ['2027-05-01T06:30', '2027-05-01T06:30:00'],
    ['2027-05-01 06:30:15', '2027-05-01T06:30:15'],
    ['2027-05-01T06:30:00.123Z', '2027-05-01T06:30:00Z'],
    ['2027-05-01T06:30:00.123456789012+0530', '2027-05-01T06:30:00+05:30'],
    [' 2027-05-01t23:59:59z ', '2027-05-01T23:59:59Z'],
  ])('%j is %s', (text, written) => {
    expect(parseDateTime(text)).toBe(written);
  });

  it.each([
    '',
    '2027-05-01',
    '2027-02-29T06:30:00Z',
    '2027-05-01T24:00:00Z',
    '2027-05-01T06:60:00Z',
    '2027-05-01T06:30:00+99:99',
    'May 1, 2027 06:30',
    '1777777777',
    'x2027-05-01T06:30:00Z',
  ])('rejects %j', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });
});

describe('dateTimeToMs', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each(['UTC', 'Pacific/Auckland', 'Pacific/Honolulu'])(
    'reads a time without an offset as UTC in the zone %s',
    (name) => {
      process.env.TZ = name;
      expect(dateTimeToMs('2027-05-01T06:30:00')).toBe(Date.UTC(2027, 4, 1, 6, 30));
      expect(dateTimeToMs('2027-05-01')).toBe(Date.UTC(2027, 4, 1));
    },
  );

  it('applies the offset', () => {
    expect(dateTimeToMs('2027-05-01T06:30:00+01:00')).toBe(Date.UTC(2027, 4, 1, 5, 30));
    expect(dateTimeToMs('2027-05-01T06:30:00-0500')).toBe(Date.UTC(2027, 4, 1, 11, 30));
  });

  it.each(['', 'Z', 'soon', '1', 'May 1', '2027-02-30', '2027-02-30T10:00:00Z'])('rejects %j', (text) => {
    expect(dateTimeToMs(text)).toBeNull();
  });
});

describe('parseInstant', () => {
  it.each([
    ['2027-05-01T06:30:00+01:00', '2027-05-01T05:30:00.000Z'],
    ['2027-05-01T06:30:00Z', '2027-05-01T06:30:00.000Z'],
    ['2027-05-01', '2027-05-01T00:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it('rejects text that is not an instant', () => {
    expect(parseInstant('tomorrow')).toBeNull();
  });
});

describe('A time in the format of feeds', () => {
  it.each(['', 'Z', '+00:00', '+05:30', '-03:30', '+23:59', '+24:00', '+14:60', '+1:000'])(
    'is read as `Date` reads it, with the offset %j',
    (offset) => {
      for (const clock of [
        '00:00:00',
        '06:30:15',
        '23:59:59',
        '24:00:00',
        '12:60:00',
        '12:00:60',
        '1a:00:00',
      ]) {
        const text = `2028-02-29T${clock}${offset}`;
        const ms = clock.startsWith('24') ? Number.NaN : Date.parse(offset === '' ? `${text}Z` : text);
        expect([text, dateTimeToMs(text)]).toEqual([text, Number.isNaN(ms) ? null : ms]);
        expect(parseDateTime(text)).toBe(Number.isNaN(ms) ? null : text);
      }
    },
  );

  it.each([
    ['2027-05-01T06:30:00', null],
    ['2027-05-01T06:30:00Z', 0],
    ['2027-05-01T06:30:00+05:30', 330],
    ['2027-05-01T06:30:00-03:30', -210],
  ])('%s has the offset %j', (written, minutes) => {
    expect(offsetMinutes(written)).toBe(minutes);
  });
});
