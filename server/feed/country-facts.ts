/** Of a country: the sample's median price of a week in pounds each, and whole degrees around it. */
export interface CountryFacts {
  week: number;
  latitudes: readonly [south: number, north: number];
  longitudes: readonly [west: number, east: number];
}

const facts = (week: number, south: number, north: number, west: number, east: number): CountryFacts => ({
  week,
  latitudes: [south, north],
  longitudes: [west, east],
});

/** The countries of the shipped destination list. */
export const COUNTRY_FACTS: ReadonlyMap<string, CountryFacts> = new Map([
  ['Barbados', facts(1880, 12, 14, -60, -59)],
  ['Bulgaria', facts(690, 41, 45, 22, 29)],
  ['Cape Verde', facts(1390, 14, 18, -26, -22)],
  ['Croatia', facts(930, 42, 47, 13, 20)],
  ['Cyprus', facts(970, 34.4, 35.8, 32, 34.7)],
  ['Czechia', facts(580, 48, 52, 12, 19)],
  ['Dominican Republic', facts(1910, 17, 20, -72, -68)],
  ['Egypt', facts(1080, 22, 32, 24, 37)],
  ['France', facts(1060, 41, 52, -6, 10)],
  ['Greece', facts(940, 34, 42, 19, 30)],
  ['Hungary', facts(610, 45, 49, 16, 23)],
  ['Italy', facts(950, 35, 48, 6, 19)],
  ['Jamaica', facts(1920, 17, 19, -79, -76)],
  ['Malta', facts(740, 35, 37, 14, 15)],
  ['Mexico', facts(1950, 14, 33, -118, -86)],
  ['Montenegro', facts(840, 41, 44, 18, 21)],
  ['Morocco', facts(870, 27, 36, -14, 0)],
  ['Portugal', facts(810, 30, 43, -32, -6)],
  ['Spain', facts(840, 27, 44, -19, 5)],
  ['Turkey', facts(860, 35, 43, 25, 45)],
  ['United Arab Emirates', facts(1580, 22, 27, 51, 57)],
  ['United States', facts(1790, 18, 50, -125, -66)],
]);
