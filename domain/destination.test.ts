import { describe, expect, it } from 'vitest';
import { destinationCode, parseDestinations } from './destination.ts';

const names = (csv: string) =>
  parseDestinations(csv).map(({ country, region, resort }) => [country, region, resort]);

describe('destinationCode', () => {
  it.each([
    [['Spain', 'Costa Blanca', 'Benidorm'], 'benidorm-costa-blanca-spain'],
    [['Cape Verde', 'Sal', 'Santa  Maria'], 'santa-maria-sal-cape-verde'],
    [['Spain', 'Andalucía', 'Málaga'], 'málaga-andalucía-spain'],
  ] as const)('%j is %s', ([country, region, resort], code) => {
    expect(destinationCode(country, region, resort)).toBe(code);
  });
});

describe('parseDestinations', () => {
  // @proves 3.2
  it('parses entries and adds their codes', () => {
    expect(parseDestinations('country,region,resort\nSpain,Costa Blanca,Benidorm\n')).toEqual([
      {
        country: 'Spain',
        region: 'Costa Blanca',
        resort: 'Benidorm',
        code: 'benidorm-costa-blanca-spain',
      },
    ]);
  });

  it.each([
    ['a byte order mark and Windows line ends', '\uFEFFcountry,region,resort\r\nSpain,Sur,Nerja\r\n'],
    ['a header in any case, spaced', ' Country , REGION,Resort\nSpain,Sur,Nerja'],
    ['columns in another order, and more of them', 'id,resort,country,note,region\n7,Nerja,Spain,x,Sur'],
    ['cells in quotes and with stray spaces', 'country,region,resort\n"Spain", Sur ,"Nerja\n"'],
    ['blank rows', 'country,region,resort\n\n,,\nSpain,Sur,Nerja\n   \n'],
    ['short rows', 'country,region,resort\nSpain\nSpain,Sur\nSpain,Sur,Nerja'],
    ['rows without a country', 'country,region,resort\n,Sur,Frigiliana\nSpain,Sur,Nerja'],
    ['rows again, also in another case', 'country,region,resort\nSpain,Sur,Nerja\nSPAIN,sur,nerja'],
  ])('accepts %s', (_, csv) => {
    expect(names(csv)).toEqual([['Spain', 'Sur', 'Nerja']]);
  });

  it('keeps rows with a blank region or resort, and names with commas and newlines', () => {
    expect(
      names('country,region,resort\nMalta,,\nMalta,,Sliema\nMalta,Gozo,\n"Korea, South",Jeju,"Jeju\nCity"'),
    ).toEqual([
      ['Malta', '', ''],
      ['Malta', '', 'Sliema'],
      ['Malta', 'Gozo', ''],
      ['Korea, South', 'Jeju', 'Jeju City'],
    ]);
  });

  it('returns no entries for a CSV with only a header', () => {
    expect(parseDestinations('country,region,resort\n')).toEqual([]);
  });

  // @proves 3.3
  it.each([
    ['country,region\nSpain,Sur', 'resort'],
    ['Spain,Sur,Nerja', 'country or region or resort'],
    ['', 'country or region or resort'],
    ['<!doctype html>', 'country or region or resort'],
  ])('names in its error the columns missing from %j', (csv, columns) => {
    expect(() => parseDestinations(csv)).toThrow(`no column named ${columns} in its header row`);
  });
});
