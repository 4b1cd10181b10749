/** Pounds per person for 7 nights in July, by lead time. */
export interface LeadTimeCurve {
  nineMonths: number;
  sevenMonths: number;
  oneWeek: number;
}

/** Source: Which?, July 2023. */
export const WHICH_JULY_2023 = {
  greece: { nineMonths: 1067, sevenMonths: 1021, oneWeek: 1263 },
  turkey: { nineMonths: 1035, sevenMonths: 968, oneWeek: 1165 },
  portugal: { nineMonths: 1053, sevenMonths: 864, oneWeek: 1049 },
  italy: { nineMonths: 1063, sevenMonths: 1113, oneWeek: 1133 },
  mainlandSpain: { nineMonths: 944, sevenMonths: 876, oneWeek: 862 },
  canaries: { nineMonths: 1070, sevenMonths: 1112, oneWeek: 1020 },
} as const satisfies Record<string, LeadTimeCurve>;

/** Monthly price factors from January, relative to mid-July outside school holidays. */
const SUMMER = [0.6, 0.62, 0.68, 0.78, 0.87, 0.95, 1, 1.02, 0.94, 0.8, 0.64, 0.62];
const WINTER_SUN = [0.97, 1, 0.97, 0.94, 0.87, 0.9, 1, 1.02, 0.92, 0.97, 0.94, 0.98];
const CITY = [0.72, 0.76, 0.84, 0.94, 1.02, 1.04, 1, 0.98, 1, 0.94, 0.8, 0.84];

export interface CountryMarket {
  curve: LeadTimeCurve;
  /** The price level relative to the curve. Estimated for countries that Which? does not cover. */
  level: number;
  season: readonly number[];
}

const CANARIES = new Set(['Tenerife', 'Gran Canaria', 'Lanzarote', 'Fuerteventura', 'La Palma']);
const { greece, turkey, portugal, italy, mainlandSpain, canaries } = WHICH_JULY_2023;

const BY_COUNTRY: Readonly<Record<string, CountryMarket>> = {
  Greece: { curve: greece, level: 1, season: SUMMER },
  Turkey: { curve: turkey, level: 1, season: SUMMER },
  Portugal: { curve: portugal, level: 1, season: SUMMER },
  Italy: { curve: italy, level: 1, season: SUMMER },
  Spain: { curve: mainlandSpain, level: 1, season: SUMMER },
  Cyprus: { curve: greece, level: 1.02, season: SUMMER },
  Malta: { curve: portugal, level: 0.92, season: SUMMER },
  Croatia: { curve: italy, level: 1, season: SUMMER },
  Montenegro: { curve: turkey, level: 0.95, season: SUMMER },
  Bulgaria: { curve: turkey, level: 0.78, season: SUMMER },
  France: { curve: italy, level: 1.1, season: SUMMER },
  Morocco: { curve: portugal, level: 0.9, season: WINTER_SUN },
  Egypt: { curve: turkey, level: 1, season: WINTER_SUN },
  'Cape Verde': { curve: canaries, level: 1.25, season: WINTER_SUN },
  'United Arab Emirates': { curve: canaries, level: 1.45, season: WINTER_SUN },
  Czechia: { curve: mainlandSpain, level: 0.68, season: CITY },
  Hungary: { curve: mainlandSpain, level: 0.68, season: CITY },
};

const LONG_HAUL: CountryMarket = { curve: canaries, level: 1.75, season: WINTER_SUN };

/** The price parameters of a region. */
export function marketOf(country: string, region: string): CountryMarket {
  if (CANARIES.has(region)) return { curve: canaries, level: 1, season: WINTER_SUN };
  return BY_COUNTRY[country] ?? LONG_HAUL;
}
