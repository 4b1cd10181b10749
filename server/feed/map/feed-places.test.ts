import { expect, it } from 'vitest';
import { parseDestinations } from '../../../domain/destination.ts';
import { placeFinder } from './feed-places.ts';

const find = placeFinder(
  parseDestinations(`country,region,resort
Turkey,Dalaman,Olu Deniz
Turkey,Antalya,Side
Turkey,Bodrum,Gumbet
Spain,Majorca,Palma Nova
`),
  { Turkey: ['Türkiye'], Majorca: ['Mallorca'], Antalya: ['Turkish Riviera'], Bodrum: ['Turkish Riviera'] },
);

it.each([
  ['Türkiye', 'Dalaman', 'Ölü Deniz', 'Turkey, Dalaman, Olu Deniz'],
  ['Turkiye', undefined, 'Side', 'Turkey, Antalya, Side'],
  ['TR', 'Turkish Riviera', 'Gümbet', 'Turkey, Bodrum, Gumbet'],
  ['Turkey', 'Dalaman', 'Ölüdeniz', 'Turkey, Dalaman, Olu Deniz'],
  ['ES', 'mallorca', 'Palma  Nova', 'Spain, Majorca, Palma Nova'],
])(
  'A place has the list’s names whatever the feed calls it: %s, %s, %s',
  (country, region, resort, listed) => {
    const place = find(country, region, resort);
    expect(place?.isListed).toBe(true);
    expect([place?.country, place?.region, place?.resort].join(', ')).toBe(listed);
  },
);

it('An unlisted place keeps its name, in its listed country', () => {
  expect(find('Türkiye', 'Antalya', 'Atlantis')).toEqual({
    country: 'Turkey',
    region: 'Antalya',
    resort: 'Atlantis',
    isListed: false,
    isRegionListed: true,
  });
});
