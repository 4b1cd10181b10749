import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeKind } from './place-kind.ts';
import { ANY_PLACE_PICTURE, placePicture, unlikeNeighbours } from './place-picture.ts';

test.each([
  ['Spain', 'Costa Blanca', 'Benidorm', 'coast'],
  ['Spain', 'Costa Blanca', 'Alicante', 'city'],
  ['Spain', 'Tenerife', 'Los Cristianos', 'island'],
  ['Spain', 'Tenerife', 'Costa Adeje', 'coast'],
  ['Spain', 'Costa del Sol', 'Málaga', 'city'],
  ['Italy', 'Lake Garda', 'Malcesine', 'lake'],
  ['Italy', 'Tuscany', 'San Gimignano', 'countryside'],
  ['Bulgaria', 'Pirin Mountains', 'Bansko', 'mountains'],
  ['France', 'Savoie', "Val d'Isère", 'mountains'],
  ['Morocco', 'Marrakech', 'Palmeraie', 'desert'],
  ['United Arab Emirates', 'Dubai', 'Jumeirah Beach', 'coast'],
  ['United Arab Emirates', 'Dubai', 'Downtown Dubai', 'city'],
  ['Jamaica', 'Jamaica West Coast', 'Montego Bay', 'tropical'],
  ['Mexico', 'Riviera Maya', 'Playa del Carmen', 'tropical'],
  ['Malta', '', '', 'island'],
  ['', '', '', 'coast'],
  ['Elsewhere', 'Splitska', 'Compact', 'coast'],
])('classifies %s, %s, %s as %s', (country, region, resort, kind) => {
  expect(placeKind(country, region, resort)).toBe(kind);
});

test('gives each place and hotel the same existing picture every time', () => {
  const places = fc.record({
    country: fc.oneof(fc.string(), fc.constantFrom('Spain', 'Cuba')),
    region: fc.oneof(fc.string(), fc.constantFrom('Lake Como', 'Desert', 'Rural North', 'Alps')),
    resort: fc.oneof(fc.string(), fc.constantFrom('Rome', 'Sal Island', '')),
    hotel: fc.string({ unit: 'binary' }),
  });
  fc.assert(
    fc.property(places, (place) => {
      const [file = '', view] = placePicture(place).split('#');
      expect(existsSync(`web/public${file}`)).toBe(true);
      expect(readFileSync(`web/public${file}`, 'utf8')).toContain(`<view id="${view}"`);
      expect(placePicture({ ...place })).toBe(placePicture(place));
    }),
  );
  expect(existsSync(`web/public${ANY_PLACE_PICTURE.split('#', 1)[0]}`)).toBe(true);
});

test('gives the hotels of one resort different pictures', () => {
  const place = { country: 'Spain', region: 'Costa Blanca', resort: 'Benidorm' };
  const pictures = Array.from({ length: 30 }, (_, hotel) => placePicture({ ...place, hotel: `BEN${hotel}` }));
  expect(new Set(pictures).size).toBe(3);
});

test('gives neighbours different pictures, and keeps those that already differ', () => {
  const [dawn, noon, dusk] = ['dawn', 'noon', 'dusk'].map((view) => `/assets/places/coast.svg#${view}`) as [
    string,
    string,
    string,
  ];
  expect(unlikeNeighbours([dawn, dawn, dawn, noon, noon])).toEqual([dawn, noon, dawn, noon, dusk]);
  expect(unlikeNeighbours([dawn, '/assets/places/lake.svg#dawn', dawn])).toEqual([
    dawn,
    '/assets/places/lake.svg#dawn',
    dawn,
  ]);
});
