import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { airportSelectionKey, groupAirports, parseAirports } from './airport.ts';
import { filterAirportGroups, namedAirport } from './airport-search.ts';

const AIRPORTS = parseAirports(
  [
    'Guernsey,GCI',
    'London,LON,1',
    'London Stansted,STN',
    'London Gatwick,LGW',
    'London Heathrow,LHR',
    'London City,LCY',
    'South East,SE,1',
    'London Gatwick,LGW',
    'Southampton,SOU',
    'Scotland,SCO,1',
    'Edinburgh,EDI',
    'Glasgow,GLA',
    'Glasgow Prestwick,PIK',
    'Ulster,ULS,1',
    'Belfast City,BHD',
    'Bristol,BRI,1',
    'Bristol,BRS',
  ].join('\n'),
);
const GROUPS = groupAirports(AIRPORTS);

const filtered = (text: string) =>
  filterAirportGroups(GROUPS, text).map((group) => group.airports.map(({ code }) => code));

describe('filterAirportGroups', () => {
  it('filters by name, code or heading, and puts an exact code first', () => {
    expect(filtered('STAN')).toEqual([['STN']]);
    expect(filtered('south east')).toEqual([['LGW', 'SOU']]);
    expect(filtered('sou')).toEqual([['SOU', 'LGW']]);
    expect(filtered('gci')).toEqual([['GCI']]);
    expect(filtered('zzz')).toEqual([]);
    expect(filtered('?')).toEqual([]);
  });

  it.each([
    ['heathow', [['LHR']]],
    ['HEATHRWO', [['LHR']]],
    ['stanstead', [['STN']]],
    ['gatwcik', [['LGW'], ['LGW']]],
    ['edinburg h', [['EDI']]],
    ['edinbrugh', [['EDI']]],
    ['london heatrow', [['LHR']]],
    ['belfastcity', [['BHD']]],
    ['glasgwo prestwik', [['PIK']]],
    ['scotlnd', [['EDI', 'GLA', 'PIK']]],
  ])('tolerates the typing errors in %j', (text, expected) => {
    expect(filtered(text)).toEqual(expected);
  });

  it('tolerates no typing errors in short words or codes, and never more than two', () => {
    for (const text of ['lgv', 'lgww', 'cty', 'haethrwwo', 'glasgwo prestwikk x']) {
      expect(filtered(text), text).toEqual([]);
    }
  });

  it('puts a heading first if it matches as well as its airports do', () => {
    const leads = (text: string) =>
      filterAirportGroups(GROUPS, text).map(({ isHeadingBest }) => isHeadingBest);
    expect(leads('')).toEqual([true, true, true, true, true, true]);
    expect(leads('scotland')).toEqual([true]);
    expect(leads('scotlnd')).toEqual([true]);
    expect(leads('prestwick')).toEqual([false]);
    expect(leads('prestwik')).toEqual([false]);
  });

  it('finds every airport despite one typing error in a long word of its name, unless something matches exactly', () => {
    const airport = fc.constantFrom(...AIRPORTS.filter(({ isRegion }) => !isRegion));
    fc.assert(
      fc.property(airport, fc.nat(), fc.constantFrom(...'qxz'), ({ name, code }, at, letter) => {
        const [long = ''] = name.split(' ').filter((word) => word.length >= 5);
        if (long === '') return;
        const place = at % long.length;
        const typed = long.slice(0, place) + letter + long.slice(place + 1);
        expect(filtered(typed).flat()).toContain(code);
      }),
    );
  });
});

describe('namedAirport', () => {
  const named = (text: string) => {
    const airport = namedAirport(AIRPORTS, text);
    return airport === null ? null : airportSelectionKey(airport);
  };

  it.each([
    ['lgw', 'LGW'],
    [' LGW ', 'LGW'],
    ['London', 'region:LON'],
    ['london gatwick', 'LGW'],
    ['London Gatwick (LGW)', 'LGW'],
    ['Gatwick', 'LGW'],
    ['glasgow', 'GLA'],
    ['prestwick', 'PIK'],
    ['guernsey', 'GCI'],
  ])('resolves %j to %s', (text, key) => {
    expect(named(text)).toBe(key);
  });

  it.each(['', '  ', '?', 'gatw', 'city', 'bristol', 'LON', 'gatwcik', 'no such airport'])(
    'returns null for %j, which names no airport or several',
    (text) => {
      expect(named(text)).toBeNull();
    },
  );

  it('resolves every code on the list to its airport', () => {
    for (const { code, isRegion } of AIRPORTS) if (!isRegion) expect(named(code.toLowerCase())).toBe(code);
  });
});
