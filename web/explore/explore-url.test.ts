import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DURATIONS } from '../../domain/duration.ts';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import { parseExploreUrl, toExploreUrl } from './explore-url.ts';

const TODAY = '2026-11-22';
const NOTHING = {
  from: null,
  when: 'any',
  nights: null,
  maxPounds: null,
  party: DEFAULT_PARTY,
  country: null,
};

function parse(url: string) {
  return parseExploreUrl(url.split('?')[1] ?? '', TODAY);
}

describe('the URL of Explore', () => {
  it('omits parts with their default', () => {
    expect(toExploreUrl({ ...NOTHING })).toBe('/explore');
    expect(parse('/explore')).toEqual({ ...NOTHING, notes: [] });
  });

  it('has the documented parameters', () => {
    const family = { adults: 2, children: 1, infants: 0 };
    expect(
      toExploreUrl({
        from: 'region:LOND',
        when: '2027-02',
        nights: 7,
        maxPounds: 400,
        party: family,
        country: 'Cape Verde',
      }),
    ).toBe('/explore?from=region:LOND&when=2027-02&nights=7&max=400&children=1&country=Cape+Verde');
  });

  it('parses back to the same choice', () => {
    const choice = fc.record({
      from: fc.option(fc.constantFrom('LGW', 'region:LOND')),
      when: fc.constantFrom('any', '2027-02', '2027-H1', '2028-H1'),
      nights: fc.option(fc.constantFrom(...DURATIONS)),
      maxPounds: fc.option(fc.integer({ min: 1, max: 100_000 })),
      party: fc.record({
        adults: fc.integer({ min: 1, max: 20 }),
        children: fc.integer({ min: 0, max: 20 }),
        infants: fc.integer({ min: 0, max: 20 }),
      }),
      country: fc.option(fc.constantFrom('Spain', 'Côte d’Ivoire', 'A & B = C?')),
    });
    fc.assert(
      fc.property(choice, (made) => {
        expect(parse(toExploreUrl(made))).toEqual({ ...made, notes: [] });
      }),
    );
  });

  it('names each part that cannot be read, and uses its default', () => {
    const { notes, ...choice } = parse('/explore?when=2020-01&nights=5&max=lots&adults=0');
    expect(choice).toEqual(NOTHING);
    expect(notes).toEqual([
      '‘2020-01’ isn’t in the next 18 months, so we’re showing any time.',
      '‘5’ isn’t available; showing 4, 7, 10 and 14 nights.',
      '‘lots’ isn’t a price in whole pounds, so we’re showing every price.',
      '‘0’ isn’t a number of adults, so we’ve searched for 2.',
    ]);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        parseExploreUrl(query, TODAY);
      }),
    );
  });
});
