import { dayNumber } from '../../domain/calendar-date.ts';
import { type PackageHoliday, placePictureOf, toPackageHoliday } from '../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import type { Offer } from '../inventory/offer.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { photoPaths } from '../inventory/photo-path.ts';
import type { Caller } from '../lib/caller.ts';
import { minuteOf } from '../package-search/fields/search-packages.ts';
import { itemTexts } from '../package-search/items/item-text.ts';
import { priceTokens } from '../package-search/tokens/price-token.ts';
import type { PriceAnalyses } from '../price-history/price-analyses.ts';
import type { FoundHotel } from './find-hotel.ts';
import { daysOf, type HotelSearch } from './hotel-search.ts';
import { cheapestOf, type GridRow, priceGrid } from './price-grid.ts';

/** The most packages in the table of one day and board. */
const MAX_ALIKE = 30;

/** A package in the store's and in the page's form. */
export interface ReadPackage {
  offer: Offer;
  holiday: PackageHoliday;
}

export interface HotelFacts extends FoundHotel {
  search: HotelSearch;
  /** Paths of photos on this server, or of one drawing. */
  images: readonly string[];
  /** The search's package, else the cheapest of its day, else of all days; null: none is on sale on these days. */
  chosen: (ReadPackage & { analysis: PriceAnalysisResponse | null }) | null;
  days: readonly number[];
  grid: readonly GridRow[];
  /** Packages of the chosen one's day and board, the cheapest first. */
  alike: readonly ReadPackage[];
  itemKeyOf(offer: Offer): string;
}

export interface FactsOptions {
  priceAnalyses: PriceAnalyses;
  brandCode: string;
  tokenKey: Uint8Array;
  nowMs: number;
  caller: Caller;
}

/** What a hotel's page says about the hotel's packages for a search. */
export async function hotelFacts(
  found: FoundHotel,
  search: HotelSearch,
  { priceAnalyses, brandCode, tokenKey, nowMs, caller }: FactsOptions,
): Promise<HotelFacts> {
  const { catalogue, offers, hotel } = found;
  const photos = photoPaths(tokenKey);
  const itemText = itemTexts(catalogue, priceTokens(tokenKey), photos);
  const codesOf = offerCodes(catalogue);
  const keyOf = (offer: Offer) => itemKeyOf(codesOf(offer.row));
  const packageOf = (offer: Offer): ReadPackage[] => {
    const holiday = readHoliday(itemText(offer, minuteOf(nowMs)), brandCode, nowMs);
    return holiday === null ? [] : [{ offer, holiday }];
  };
  const named = offers.find((offer) => keyOf(offer) === search.itemKey);
  const onDay = offers.filter((offer) => offer.departureDay === dayNumber(search.date));
  const offer = named ?? cheapestOf(onDay) ?? cheapestOf(offers);
  const [chosen] = offer === undefined ? [] : packageOf(offer);
  const alike = offers.filter((one) => one.departureDay === offer?.departureDay && one.board === offer.board);
  const days = daysOf(search);
  const drawing = placePictureOf(
    { HolidayCountry: found.country, HolidayRegion: found.region, HolidayResort: found.resort },
    { HotelIdentifierCode: hotel.code, HotelName: hotel.name },
  );
  return {
    ...found,
    search,
    images: hotel.photos ? hotel.photos.split(' ').map(photos.pathOf) : [drawing],
    chosen: chosen === undefined ? null : { ...chosen, analysis: await analysisOf(chosen) },
    days,
    grid: priceGrid(offers, days),
    alike: alike.slice(0, MAX_ALIKE).flatMap(packageOf),
    itemKeyOf: keyOf,
  };

  /** What the price history says. Null: nothing yet, or the analyses are busy. */
  async function analysisOf({ holiday }: ReadPackage): Promise<PriceAnalysisResponse | null> {
    const [analysis] = await priceAnalyses.analyse([holiday.ItemKey], nowMs, caller).catch(() => []);
    return analysis ?? null;
  }
}

/** The package as a page reads it from a search's answer. */
function readHoliday(itemText: string, brandCode: string, nowMs: number): PackageHoliday | null {
  const parsed = parsePackageSearchItem(JSON.parse(itemText));
  if (parsed.kind === 'refused') return null;
  return toPackageHoliday(parsed.item, { mappedAt: new Date(nowMs).toISOString(), brandCode });
}
