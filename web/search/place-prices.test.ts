import { describe, expect, it } from 'vitest';
import { countriesOf, type FoundRegion, mergeRegions, regionsUpTo } from './place-prices.ts';

const AT = { latitude: 38, longitude: 0 };

function region(
  country: string,
  name: string,
  prices: [date: string, pounds: number][],
  nights = 7,
): FoundRegion {
  const months = prices.map(([date, pounds]) => ({ date, nights, total: pounds * 100 }));
  return { country, region: name, position: AT, months };
}

describe('mergeRegions', () => {
  it('merges equal regions, with the lowest price of each month for any number of nights', () => {
    const merged = mergeRegions([
      [
        region(
          'Spain',
          'Majorca',
          [
            ['2027-05-03', 500],
            ['2027-06-01', 600],
          ],
          7,
        ),
      ],
      [
        region('Spain', 'Majorca', [['2027-05-09', 450]], 10),
        region('Greece', 'Crete', [['2027-05-01', 400]], 10),
      ],
    ]);
    expect(merged.map((each) => each.region)).toEqual(['Crete', 'Majorca']);
    expect(merged[1]?.lowest).toEqual({ date: '2027-05-09', nights: 10, total: 45_000 });
    expect(merged[1]?.months).toEqual([
      { date: '2027-05-09', nights: 10, total: 45_000 },
      { date: '2027-06-01', nights: 7, total: 60_000 },
    ]);
  });

  it('prefers the earliest day of equal prices, then the fewest nights', () => {
    const [merged] = mergeRegions([
      [
        region(
          'Spain',
          'Majorca',
          [
            ['2027-05-09', 400],
            ['2027-06-01', 400],
          ],
          10,
        ),
      ],
      [region('Spain', 'Majorca', [['2027-05-09', 400]], 4)],
    ]);
    expect(merged?.lowest).toEqual({ date: '2027-05-09', nights: 4, total: 40_000 });
  });

  it('omits regions without prices, and separates regions of the same name in two countries', () => {
    const merged = mergeRegions([
      [
        region('Spain', 'Coast', []),
        region('Italy', 'Coast', [['2027-05-01', 1]]),
        region('Malta', 'Coast', [['2027-05-01', 2]]),
      ],
    ]);
    expect(merged.map(({ country }) => country)).toEqual(['Italy', 'Malta']);
  });
});

describe('regionsUpTo', () => {
  const regions = mergeRegions([
    [
      region('Spain', 'Majorca', [
        ['2027-05-03', 500],
        ['2027-06-01', 600],
      ]),
      region('Spain', 'Ibiza', [['2027-05-03', 700]]),
    ],
  ]);

  it('keeps regions and months up to and including a price', () => {
    const [majorca, ...others] = regionsUpTo(regions, 50_000);
    expect(others).toEqual([]);
    expect(majorca?.months.map(({ total }) => total)).toEqual([50_000]);
    expect(regionsUpTo(regions, 49_999)).toEqual([]);
  });

  it('keeps everything without a price', () => {
    expect(regionsUpTo(regions, null)).toBe(regions);
  });
});

describe('countriesOf', () => {
  it('gives each country the price of its cheapest region, and sorts both by price', () => {
    const countries = countriesOf(
      mergeRegions([
        [
          region('Spain', 'Ibiza', [['2027-05-03', 700]]),
          region('Spain', 'Majorca', [['2027-06-03', 500]]),
          region('Greece', 'Crete', [['2027-05-01', 600]]),
        ],
      ]),
    );
    expect(countries.map(({ country, lowest }) => [country, lowest.total])).toEqual([
      ['Spain', 50_000],
      ['Greece', 60_000],
    ]);
    expect(countries[0]?.regions.map((each) => each.region)).toEqual(['Majorca', 'Ibiza']);
    expect(countries[0]?.months.map(({ date }) => date)).toEqual(['2027-05-03', '2027-06-03']);
  });

  it('places a country at its most central region, never between regions', () => {
    const at = (name: string, longitude: number) => ({
      ...region('Spain', name, [['2027-05-03', 700]]),
      position: { latitude: 38, longitude },
    });
    const [spain] = countriesOf(mergeRegions([[at('Canaries', -16), at('Coast', -4), at('Majorca', 3)]]));
    expect(spain?.position).toEqual({ latitude: 38, longitude: -4 });
  });
});
