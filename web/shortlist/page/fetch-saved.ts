import type { QueryClient, QueryKey } from '@tanstack/react-query';
import * as v from 'valibot';
import { addDays, parseCalendarDate } from '../../../domain/calendar-date.ts';
import { type PackageHoliday, toPackageHoliday } from '../../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../../domain/package-search-item.ts';
import type { PageConfig } from '../../config/page-config.ts';
import type { Keepable } from '../../data/keepable.ts';
import { offlineStore } from '../../data/offline-store.ts';
import { fetchPriceHistory } from '../../price-history/fetch-price-history.ts';
import { createSearchClient } from '../../search/search-client.ts';
import { fetchData, serviceKey } from '../../search/search-service.ts';
import type { SavedHoliday } from '../shortlist.ts';

interface SavedNow extends Keepable {
  /** Null: no longer on sale. */
  holiday: PackageHoliday | null;
}

/** A saved holiday as it is now. */
export interface Compared extends SavedNow {
  itemKey: string;
  /** The total when it was saved, in whole pounds. Null: not proven. */
  pounds: number | null;
  /** Null: not proven, and no longer on sale. */
  name: string | null;
  /** Null: unknown. */
  verdict: string | null;
}

const keptHoliday = offlineStore<SavedNow>('skylark-shortlist');

const VERDICTS = 'query ($itemKeys: [String!]!) { priceAnalysis(itemKeys: $itemKeys) { itemKey label } }';
const Verdicts = v.object({ priceAnalysis: v.array(v.object({ itemKey: v.string(), label: v.string() })) });
const TIMEOUT_MS = 10_000;
const NOT_ON_SALE = { holiday: null };

/**
 * Finds each saved holiday again, with its verdict. A price from a link counts only if the price history has it, and a
 * name from a link never: anyone can write a link. `own` are this device's holidays. Rejects if a search fails and this device has not kept it. */
export async function fetchSaved(
  saved: readonly SavedHoliday[],
  own: readonly SavedHoliday[],
  config: PageConfig,
  queries: QueryClient,
  signal: AbortSignal,
): Promise<Compared[]> {
  const itemKeys = saved.map(({ itemKey }) => itemKey);
  const request = { query: VERDICTS, variables: { itemKeys }, signal, timeoutMs: TIMEOUT_MS };
  const isOwn = ({ itemKey, pounds, name }: SavedHoliday) =>
    own.some((one) => one.itemKey === itemKey && one.pounds === pounds && one.name === name);
  const [holidays, arePriced, verdicts] = await Promise.all([
    Promise.all(itemKeys.map((itemKey) => findHoliday(itemKey, config, queries))),
    Promise.all(saved.map(async (each) => isOwn(each) || (await wasSeen(each, config, signal)))),
    config.priceHistory ? fetchData(config, request, Verdicts).catch(() => null) : null,
  ]);
  const labels = new Map(verdicts?.priceAnalysis.map(({ itemKey, label }) => [itemKey, label]));
  return saved.map((each, nth) => ({
    itemKey: each.itemKey,
    pounds: arePriced[nth] === true ? each.pounds : null,
    name: holidays[nth]?.holiday?.HotelDetails.HotelName ?? (isOwn(each) ? each.name : null),
    ...(holidays[nth] ?? NOT_ON_SALE),
    verdict: labels.get(each.itemKey) ?? null,
  }));
}

/** Whether the server has seen a holiday at its saved price. False if that is unknown. */
async function wasSeen(
  { itemKey, pounds }: SavedHoliday,
  config: PageConfig,
  signal: AbortSignal,
): Promise<boolean> {
  if (!config.priceHistory) return false;
  const history = await fetchPriceHistory(config, itemKey, signal).catch(() => null);
  return history?.prices.some(({ price }) => Math.round(price) === pounds) === true;
}

/** Searches for a key's hotel on its day (docs/contracts/graphql.md), and picks the package. */
async function findHoliday(itemKey: string, config: PageConfig, queries: QueryClient): Promise<SavedNow> {
  const [brand = '', hotelCode = '', airport = '', day = '', nights = '', board = '', , party = ''] = itemKey
    .split(':')
    .map(decoded);
  const startDate = parseCalendarDate(day);
  const [, adults, children, infants] = /^(\d{1,2})-(\d{1,2})-(\d{1,2})$/.exec(party) ?? [];
  if (startDate === null || adults === undefined || !/^\d{1,2}$/.test(nights)) return NOT_ON_SALE;
  const filters = {
    brand,
    startDate,
    endDate: addDays(startDate, Number(nights)),
    departureAirports: [airport],
    numberOfAdults: Number(adults),
    numberOfChildren: Number(children),
    numberOfInfants: Number(infants),
    duration: Number(nights),
  };
  const refine = { hotelCode, boards: [board] };
  const search = { filters, refine, sortBy: 'PRICE_ASC', limit: 100, nextToken: null } as const;
  const queryKey: QueryKey = ['saved', ...serviceKey(config), itemKey];
  return queries.fetchQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const { items } = await createSearchClient(config)(search, signal);
      const mapping = { mappedAt: new Date().toISOString(), brandCode: config.brandCode };
      const found = items
        .map(parsePackageSearchItem)
        .find((each) => each.kind === 'item' && each.item.ItemKey === itemKey);
      return found?.kind === 'item' ? { holiday: toPackageHoliday(found.item, mapping) } : NOT_ON_SALE;
    },
    staleTime: 0,
    persister: keptHoliday,
  });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
