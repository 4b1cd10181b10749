import { describe, expect, it } from 'vitest';
import { type Airport, findAirportSelection, groupAirports, parseAirports } from '../../domain/airport.ts';
import { airportSections, chooseAirport, countAirports } from './airport-options.ts';

const AIRPORTS = parseAirports(
  [
    'Guernsey,GCI',
    'London,LON,1',
    'London Gatwick,LGW',
    'London Luton,LTN',
    'South East,SE,1',
    'London Gatwick,LGW',
    'Southampton,SOU',
    'Manchester area,MNC,1',
    'Manchester,MAN',
    'Nowhere,NOW,1',
  ].join('\n'),
);
const GROUPS = groupAirports(AIRPORTS);

function airportOf(key: string): Airport {
  const airport = findAirportSelection(AIRPORTS, key);
  if (airport === undefined) throw new Error(`no ${key}`);
  return airport;
}

/** 'London*' is the toggle of London. */
function listed(text: string): string[][] {
  return airportSections(GROUPS, text).map(({ heading, options }) => [
    heading?.name ?? 'Other airports',
    ...options.map(({ kind, airport }) => (kind === 'toggle' ? `${airport.name}*` : airport.code)),
  ]);
}

describe('airportSections', () => {
  it('lists every region with its toggle first, and airports without a region last', () => {
    expect(listed('')).toEqual([
      ['London', 'London*', 'LGW', 'LTN'],
      ['South East', 'South East*', 'LGW', 'SOU'],
      ['Manchester area', 'Manchester area*', 'MAN'],
      ['Other airports', 'GCI'],
    ]);
  });

  it.each([
    ['lgw', ['London', 'LGW', 'London*']],
    ['MAN', ['Manchester area', 'MAN', 'Manchester area*']],
    ['luton', ['London', 'LTN', 'London*']],
    ['london', ['London', 'London*', 'LGW', 'LTN']],
    ['guern', ['Other airports', 'GCI']],
  ])('puts the best match of "%s" first', (text, expected) => {
    expect(listed(text)[0]).toEqual(expected);
  });

  it('counts an airport in two regions once', () => {
    expect(countAirports(airportSections(GROUPS, ''))).toBe(5);
    expect(countAirports(airportSections(GROUPS, 'gatwick'))).toBe(1);
    expect(countAirports(airportSections(GROUPS, 'nothing like it'))).toBe(0);
  });
});

describe('chooseAirport', () => {
  const option = (airport: Airport) => ({ kind: airport.isRegion ? 'toggle' : 'airport', airport }) as const;

  it.each([
    ['LGW', null, 'LGW'],
    ['MAN', 'LGW', 'MAN'],
    ['region:LON', 'LGW', 'region:LON'],
    ['LGW', 'region:LON', 'LGW'],
    ['region:SE', 'region:LON', 'region:SE'],
    ['LGW', 'LGW', null],
    ['region:LON', 'region:LON', null],
  ])('choosing %s while %s is selected selects %s', (chosen, before, after) => {
    const now = chooseAirport(option(airportOf(chosen)), before === null ? null : airportOf(before));
    expect(now).toEqual(after === null ? null : airportOf(after));
  });

  it('deselects an airport by its entry in another region', () => {
    const [first, second] = AIRPORTS.filter(({ code }) => code === 'LGW');
    expect(first?.id).not.toBe(second?.id);
    expect(second && chooseAirport(option(second), first ?? null)).toBeNull();
  });
});
