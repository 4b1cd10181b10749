import * as v from 'valibot';
import airportsCsv from '../../assets/departure-airports.csv?raw';
import locationsCsv from '../../assets/locations.csv?raw';
import { parseAirports } from '../../domain/airport.ts';
import { addDays } from '../../domain/calendar-date.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { indexDestinations } from '../../domain/destination-index.ts';
import { type PackageHoliday, toPackageHoliday } from '../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import { type PriceAnalysisResponse, priceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import { DEFAULT_PAGE_CONFIG, type PageConfig } from '../../web/config/page-config.ts';
import { everyField, fullAnalysis, fullHistory } from '../fixtures/full-data.ts';
import { SEARCH } from '../fixtures/page-search.ts';
import { wireItem } from '../fixtures/wire-item.ts';

export const TODAY = '2027-01-20';

export const AIRPORTS = parseAirports(airportsCsv);
export const DESTINATIONS = indexDestinations(parseDestinations(locationsCsv));

export const CONFIG: PageConfig = {
  ...DEFAULT_PAGE_CONFIG,
  cheapestDates: true,
  explore: true,
  providerName: 'Sunward Holidays',
  providerUrl: 'https://www.sunward.example/',
  footerText: 'A trading name of Example Travel Ltd, registered in England and Wales.',
  providers: {
    SUN: { name: 'Sunward', logoUrl: null, atol: '12345', priceCheckUrl: null, oftenDearer: false },
    SEA: {
      name: 'Seaward',
      logoUrl: '/assets/channels/email.svg',
      atol: null,
      priceCheckUrl: null,
      oftenDearer: false,
    },
  },
};

/** A package made from a server's item. */
export function holiday(changes: Record<string, unknown> = {}): PackageHoliday {
  const parsed = parsePackageSearchItem(wireItem(changes));
  if (parsed.kind === 'refused') throw new Error(parsed.reason);
  return toPackageHoliday(parsed.item, { mappedAt: '2027-01-02T03:04:00Z', brandCode: 'SKY' });
}

/** The longest texts and largest numbers of a card. */
export const FULLEST_HOLIDAY = holiday(everyField(wireItem()));

/** One analysis of each verdict. */
export const ANALYSES: Readonly<
  Record<'typical' | 'low' | 'high' | 'not enough prices', PriceAnalysisResponse>
> = {
  typical: analysis(fullAnalysis('typical', 0)),
  low: analysis(fullAnalysis('low', 1)),
  high: analysis({ ...fullAnalysis('high', 1), level: 'HIGH', label: 'High' }),
  'not enough prices': analysis(fullAnalysis('none', 2)),
};

/** A server's prices for the days around the search. */
export const CHEAPEST_DATES = [-3, -2, -1, 0, 1, 2, 3].map((days) => ({
  DepartureDate: addDays(SEARCH.date ?? TODAY, days),
  TotalPrice: 800 + (((days + 3) * 137) % 400),
}));

function analysis(raw: unknown): PriceAnalysisResponse {
  return v.parse(priceAnalysisResponse, raw);
}

export const PRICE_HISTORY = fullHistory('SUNW:1');
