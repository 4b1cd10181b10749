import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  airportName,
  airportSelectionKey,
  expandAirport,
  findAirportSelection,
  groupAirports,
  isAirportSelected,
  parseAirports,
} from './airport.ts';

const LIST = `Guernsey,GCI
London,LON,1
London Stansted,STN
London Gatwick,LGW
Nowhere
,XXX
South East,SE,1
London Gatwick,LGW
Southampton,SOU
Empty,EMP,1
`;
const airports = parseAirports(LIST);
const named = (key: string) => {
  const found = findAirportSelection(airports, key);
  if (found === undefined) throw new Error(`no ${key}`);
  return found;
};

describe('parseAirports', () => {
  // @proves 3.6, 3.7
  it('lists regions in file order, then airports by name, and skips rows without a name or a code', () => {
    expect(airports.map(({ name, parentRegion }) => [name, parentRegion])).toEqual([
      ['London', undefined],
      ['South East', undefined],
      ['Empty', undefined],
      ['Guernsey', undefined],
      ['London Gatwick', 'LON'],
      ['London Gatwick', 'SE'],
      ['London Stansted', 'LON'],
      ['Southampton', 'SE'],
    ]);
  });

  // @proves 3.4
  it('gives each region its order and its airports, and each entry a unique ID', () => {
    expect(airports.slice(0, 3).map(({ order, childAirports }) => [order, childAirports])).toEqual([
      [0, [{ code: 'STN' }, { code: 'LGW' }]],
      [1, [{ code: 'LGW' }, { code: 'SOU' }]],
      [2, []],
    ]);
    expect(new Set(airports.map(({ id }) => id)).size).toBe(airports.length);
  });

  it.each(['', '\uFEFF', '\r\n\r\n', ',,1\n', 'only a name'])('returns no airports for %j', (text) => {
    expect(parseAirports(text)).toEqual([]);
  });

  it('accepts a byte order mark, Windows line endings and spaces around cells', () => {
    const read = parseAirports('\uFEFF London , LON , 1 \r\n"Gatwick, London",LGW\r\n');
    expect(read.map(({ name, code, isRegion }) => [name, code, isRegion])).toEqual([
      ['London', 'LON', true],
      ['Gatwick, London', 'LGW', false],
    ]);
  });
});

describe('Airport groups', () => {
  it('have a heading, except for airports before the first region', () => {
    const groups = groupAirports(airports);
    expect(groups.map((group) => [group.heading?.name, group.airports.map(({ code }) => code)])).toEqual([
      ['London', ['LGW', 'STN']],
      ['South East', ['LGW', 'SOU']],
      ['Empty', []],
      [undefined, ['GCI']],
    ]);
  });

  it('are separate for two regions with the same name but different codes, even if they share an airport', () => {
    const twins = parseAirports('North,N1,1\nLeeds,LBA\nHull,HUY\nNorth,N2,1\nLeeds,LBA\nYork,QQY\n');
    expect(groupAirports(twins).map((group) => group.airports.map(({ id }) => id))).toEqual([
      ['HUY', 'LBA'],
      ['LBA@N2', 'QQY'],
    ]);
  });
});

describe('An airport selection', () => {
  it('expands to a region’s airports, or to the airport itself', () => {
    expect(expandAirport(named('region:LON'))).toEqual(['STN', 'LGW']);
    expect(expandAirport(named('LGW'))).toEqual(['LGW']);
    expect(expandAirport(named('region:EMP'))).toEqual([]);
  });

  it("includes an airport's entry in every region, or a region's airports", () => {
    const held = (key: string) =>
      airports.filter((airport) => isAirportSelected(airport, named(key))).map(({ id }) => id);
    expect(held('LGW')).toEqual(['LGW', 'LGW@SE']);
    expect(held('region:SE')).toEqual(['region:SE', 'LGW', 'LGW@SE', 'SOU']);
    expect(airports.some((airport) => isAirportSelected(airport, null))).toBe(false);
  });

  it('is found by its key, in any case', () => {
    for (const airport of airports) {
      const key = airportSelectionKey(airport);
      expect(findAirportSelection(airports, key.toLowerCase())?.code).toBe(airport.code);
    }
    expect(findAirportSelection(airports, 'nothing')).toBeUndefined();
  });
});

it('shows the name of an airport, or its code if it is unknown', () => {
  expect(airportName(airports, 'STN')).toBe('London Stansted');
  expect(airportName(airports, 'LON')).toBe('LON');
  expect(airportName(airports, 'ZZZ')).toBe('ZZZ');
});

it('never expands a region to a code that the file does not list under it', () => {
  const code = fc.constantFrom('AAA', 'BBB', 'CCC', 'DDD');
  const row = fc.tuple(fc.constantFrom('North', 'South'), code, fc.boolean());
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const parsed = parseAirports(
        rows.map(([name, each, isRegion]) => `${name},${each},${isRegion ? 1 : ''}`).join('\n'),
      );
      const flat = groupAirports(parsed).flatMap((group) => group.airports);
      expect(flat.map(({ id }) => id).sort()).toEqual(
        parsed.flatMap(({ isRegion, id }) => (isRegion ? [] : id)).sort(),
      );
      for (const region of parsed.filter(({ isRegion }) => isRegion)) {
        for (const child of expandAirport(region)) {
          expect(parsed.some((each) => each.code === child && each.parentRegion === region.code)).toBe(true);
        }
      }
    }),
  );
});
