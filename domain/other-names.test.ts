import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCsv } from './csv.ts';
import { type DestinationOption, parseDestinations } from './destination.ts';
import { indexDestinations, withOtherNames } from './destination-index.ts';
import { matchDestinations } from './destination-search.ts';
import { findDestination } from './find-destination.ts';
import { namedDestination } from './named-destination.ts';
import { parseOtherNames } from './other-names.ts';

describe('parseOtherNames', () => {
  it('accepts columns in any case and order, and skips rows without a place or a name', () => {
    const csv =
      '\uFEFFOther_Name,note,PLACE\r\n Türkiye ,x, Turkey \r\nTürkiye,,Turkey\r\nTR,,Turkey\r\n,,Spain\r\nx\r\n';
    expect(parseOtherNames(csv)).toEqual({ Turkey: ['Türkiye', 'TR'] });
    expect(parseOtherNames('place,other_name\n')).toEqual({});
  });

  it('accepts a place whose name is also an object property', () => {
    expect(Object.entries(parseOtherNames('place,other_name\n__proto__,Proto\n'))).toEqual([
      ['__proto__', ['Proto']],
    ]);
  });

  it.each([
    ['', 'place or other_name'],
    ['place,name\n', 'other_name'],
  ])('names the missing column of %j', (csv, missing) => {
    expect(() => parseOtherNames(csv)).toThrow(`has no column named ${missing} in its header row`);
  });
});

describe('The shipped list', () => {
  const asset = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8');
  const plain = indexDestinations(parseDestinations(asset('locations.csv')));
  const otherNames = parseOtherNames(asset('other-names.csv'));
  const index = withOtherNames(plain, otherNames);

  it('finds each region by the codes of its airports, and no place by a part of a code', () => {
    const resorts = readFileSync(new URL('../server/sample/reference/resorts.csv', import.meta.url), 'utf8');
    const [header = [], ...rows] = parseCsv(resorts);
    const at = (column: string) => header.indexOf(column);
    const missed = rows.flatMap((row) =>
      (row[at('airports')] ?? '').split(' ').filter((code) => {
        const [country, region] = [row[at('country')], row[at('region')]];
        const { options } = matchDestinations(index, code);
        const wanted = options.findIndex(({ tuple }) => tuple.join() === [country, region, ''].join());
        const isCalled = ({ tuple }: DestinationOption) =>
          tuple.some((name) => otherNames[name]?.includes(code));
        return wanted < 0 || !options.slice(0, wanted).every(isCalled);
      }),
    );
    expect(rows.length).toBeGreaterThan(100);
    expect(missed).toEqual([]);
    expect(matchDestinations(index, 'pm')).toEqual(matchDestinations(plain, 'pm'));
  });

  it('resolves what a visitor leaves in the field', () => {
    const left = ['the algarve', 'PMI', 'U.S.A.', 'Palma de Mallorca', 'Paphos (resort only), Cyprus'];
    expect(left.map((text) => namedDestination(index, text)?.tuple)).toEqual([
      ['Portugal', 'Algarve', ''],
      ['Spain', 'Majorca', ''],
      ['United States', '', ''],
      ['Spain', 'Majorca', ''],
      ['Cyprus', 'Paphos', 'Paphos'],
    ]);
    expect(findDestination(index, ['Czechia', 'Prague', 'Prague'])).toEqual(['Czechia', 'Prague', '']);
  });

  it('has only places that are in the location list', () => {
    const names = new Set(plain.spellings);
    expect(Object.keys(otherNames).filter((place) => !names.has(place))).toEqual([]);
  });

  it.each([
    ['turkiye', ['Turkey (any region/any resort)']],
    ['Türkiye', ['Turkey (any region/any resort)']],
    ['TÜRKİYE', ['Turkey (any region/any resort)']],
    ['turkyie', ['Turkey (any region/any resort)']],
    [
      'canary islands',
      ['Fuerteventura, Spain', 'Gran Canaria, Spain', 'Lanzarote, Spain', 'Tenerife, Spain'],
    ],
    ['balearics', ['Ibiza, Spain', 'Majorca, Spain', 'Menorca, Spain']],
    ['mallorca', ['Majorca, Spain']],
    ['uae', ['United Arab Emirates (any region/any resort)']],
    ['usa', ['United States (any region/any resort)']],
    ['czech republic', ['Czechia (any region/any resort)']],
    ['cabo verde', ['Cape Verde (any region/any resort)']],
    ['the algarve', ['Algarve, Portugal']],
    ['The Canaries', ['Fuerteventura, Spain', 'Gran Canaria, Spain', 'Lanzarote, Spain', 'Tenerife, Spain']],
    ['the u.s.', ['United States (any region/any resort)']],
    ['U.S.A.', ['United States (any region/any resort)']],
    ['U. A. E.', ['United Arab Emirates (any region/any resort)']],
    ['Palma de Mallorca', ['Majorca, Spain']],
    ['Palma, Mallorca', ['Majorca, Spain']],
    ['tfs', ['Tenerife, Spain']],
    ['PMI', ['Majorca, Spain']],
    ['prague', ['Prague, Czechia']],
    ['paphos', ['Paphos, Cyprus', 'Paphos (resort only), Cyprus']],
  ])('%j finds %j first', (text, labels) => {
    const found = matchDestinations(index, text).options.slice(0, labels.length);
    expect(found.map(({ label }) => label)).toEqual(labels);
  });
});
