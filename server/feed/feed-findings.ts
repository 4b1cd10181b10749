import type { SqlDatabase } from '../storage/sql-database.ts';
import { COUNTRY_FACTS, type CountryFacts } from './country-facts.ts';
import { type FeedProfile, headsOf, noteGroup, type PriceGroup } from './feed-profile.ts';
import { isPerPerson, lastName } from './formats/mapped/column-words.ts';
import type { FeedMapping } from './formats/mapped/mapping.ts';
import { isMore, percent } from './write/import-guardrails.ts';

/** Fewer packages or hotels than this say nothing about a feed. */
const MIN_PACKAGES = 10;

/** In percent of the market's price: of other providers in the same places, and of the sample, which is dearer. */
const MIN_OF_MARKET = 60;
const MIN_OF_SAMPLE = 52;
const MAX_OF_MARKET = 250;
/** Fewer packages than this in a place are no market. */
const MIN_MARKET = 10;

/** The sample's price of a stay, as a part of a week's: flights cost the same. */
const stayFactor = (nights: number) => 0.36 + 0.092 * nights;

const USUAL_NIGHTS: readonly number[] = [7, 10, 14, 21];

/** In percent of a feed's packages or hotels. */
const MAX_UNLISTED = 20;
const MAX_ABROAD = 20;

/** Parts of columns' names, in the languages of feeds. */
const CURRENCY = /curr|w(?:ä|ae?)hrung|devise|moneda|valuta/i;
const CHARGE =
  /tax|surcharge|supplement|(?:^|[^a-z])fees?(?:$|[^a-z])|levy|zuschlag|geb(?:ü|ue?)hr|steuer|impuesto/i;
const WHOLE_PRICE = /gross|brutto|total.*(?:price|cost|amount)|(?:price|cost|amount).*total|^total$/i;
const PEOPLE = /adult|(?:^|[^a-z])pax|persons?$|occupan|guests?$|erwachs/i;
const CHILDREN = /child|infant|kinder|enfant/i;
const PRICE = /price|cost|amount|rate|preis|prix|precio/i;

const POUNDS: readonly string[] = ['GBP', '£', 'POUNDS', 'UKP', 'STERLING'];
const CURRENCY_CODE = /^(?:EUR|USD|CHF|SEK|NOK|DKK|PLN|CZK|AED|TRY|€|\$)$/i;
const AMOUNT = /^\D{0,3}\d+(?:[.,\s]\d+)*\D{0,4}$/;

/** A place that is not on the destination list. */
export interface PlaceCount {
  place: string;
  isRegionListed: boolean;
  count: number;
}

export interface FindingFacts {
  profile: FeedProfile;
  mapping: FeedMapping | null;
  unlisted: readonly PlaceCount[];
  /** Other providers' packages in the same places. */
  market: readonly PriceGroup[];
}

/** What an expert would question, each in a sentence with its remedy; usually empty. */
export function findingsIn(facts: FindingFacts): string[] {
  const { profile, unlisted } = facts;
  const found = [
    priceFinding(facts),
    ...columnFindings(facts),
    nightsFinding(profile.nights),
    positionFinding(profile),
    ratingFinding(profile),
    boardFinding(profile.unknownBoards),
  ];
  const packages = profile.packages();
  const unreachable = unlisted.filter(({ isRegionListed }) => !isRegionListed);
  const lost = unreachable.reduce((sum, { count }) => sum + count, 0);
  if (packages >= MIN_PACKAGES && isMore(lost, MAX_UNLISTED, packages)) {
    const places = unreachable.slice(0, 3).map(({ place }) => place);
    found.push(
      `${percent(lost, packages)} of packages are in regions that visitors cannot choose (${places.join('; ')}): correct the mapping, or add the places to the destination list or to other-names.csv`,
    );
  }
  return found.filter((one) => one !== null);
}

/** How the feed compares with other providers, or with the sample, for a check. */
export function comparisonLines({ profile, market }: FindingFacts): string[] {
  const compared = comparePrices(profile, market);
  const share = (counts: ReadonlyMap<number, number>) => {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 6);
    return most.map(([nights, count]) => `${nights} (${percent(count, all)})`).join(', ');
  };
  const theirs = new Map<number, number>();
  for (const { nights, packages } of market) theirs.set(nights, (theirs.get(nights) ?? 0) + packages);
  return [
    compared === null
      ? 'Prices: there is nothing to compare them with.'
      : `Prices: the median is ${compared.percent}% of ${compared.isSample ? "the sample's in the same countries, because no other provider is in the same places" : "other providers' for the same places and nights"}.`,
    ...(market.length > 0 ? [`Other providers' nights in the same places: ${share(theirs)}.`] : []),
  ];
}

/** Other providers' packages in the feed's places. */
export async function marketOf(
  database: SqlDatabase,
  { provider, profile, firstDay }: { provider: number | null; profile: FeedProfile; firstDay: number },
): Promise<PriceGroup[]> {
  const resorts = [...new Set(profile.groups().map(({ resort }) => resort))];
  const parties = await database.prepare('select id, adults, children from party').all();
  const heads = new Map(
    parties.map(({ id, adults, children }) => [
      Number(id),
      headsOf({ adults: Number(adults), children: Number(children) }),
    ]),
  );
  const stored = database.prepare(`select resort, nights, departure_day / 30, party, count(*), sum(price)
    from offer where ${database.anyOf('resort')} and provider <> ? and departure_day >= ? group by 1, 2, 3, 4`);
  const groups = new Map<string, PriceGroup>();
  for await (const row of stored.iterate(resorts, provider ?? 0, firstDay)) {
    const [resort = 0, nights = 0, month = 0, party = 0, packages = 0, sum = 0] = row.map(Number);
    noteGroup(groups, { resort, country: '', nights, month, packages, pence: sum / (heads.get(party) ?? 2) });
  }
  return [...groups.values()];
}

/** The middle of the feed's prices in percent of the market's; null if there is no market. */
function comparePrices(
  profile: FeedProfile,
  market: readonly PriceGroup[],
): { percent: number; isSample: boolean } | null {
  const byStay = new Map<string, PriceGroup>();
  const byMonth = new Map<string, PriceGroup>();
  const inResort = new Map<number, number>();
  for (const group of market) {
    noteGroup(byMonth, group);
    noteGroup(byStay, { ...group, month: 0 });
    inResort.set(group.resort, (inResort.get(group.resort) ?? 0) + group.packages);
  }
  const ofMarket: [ratio: number, packages: number][] = [];
  const ofSample: [ratio: number, packages: number][] = [];
  for (const { resort, country, nights, month, packages, pence } of profile.groups()) {
    const each = pence / packages;
    const stay = byMonth.get(`${resort} ${nights} ${month}`) ?? byStay.get(`${resort} ${nights} 0`);
    if (stay !== undefined && (inResort.get(resort) ?? 0) >= MIN_MARKET)
      ofMarket.push([each / (stay.pence / stay.packages), packages]);
    const facts = COUNTRY_FACTS.get(country);
    if (facts !== undefined) ofSample.push([each / (facts.week * 100 * stayFactor(nights)), packages]);
  }
  const isSample = sumOf(ofMarket) < MIN_PACKAGES;
  const ratios = isSample ? ofSample : ofMarket;
  if (sumOf(ratios) < MIN_PACKAGES) return null;
  let before = sumOf(ratios) / 2;
  const middle = ratios
    .toSorted(([one], [other]) => one - other)
    .find(([, packages]) => {
      before -= packages;
      return before <= 0;
    });
  return { percent: Math.round((middle?.[0] ?? 1) * 100), isSample };
}

function sumOf(ratios: readonly (readonly [number, number])[]): number {
  return ratios.reduce((sum, [, packages]) => sum + packages, 0);
}

function priceFinding({ profile, market }: FindingFacts): string | null {
  const compared = comparePrices(profile, market);
  if (compared === null) return null;
  const { percent: share, isSample } = compared;
  const whose = isSample
    ? "the sample's in the same countries"
    : "other providers' for the same places and nights";
  if (share < (isSample ? MIN_OF_SAMPLE : MIN_OF_MARKET))
    return `Prices are ${share}% of ${whose}: if they are per person, multiply TotalPrice by the number of people ("times"); if a part is in another column, add it ("plus")`;
  if (share > MAX_OF_MARKET)
    return `Prices are ${share}% of ${whose}: check the currency, "number" and "times" of TotalPrice`;
  return null;
}

function columnFindings({ profile, mapping }: FindingFacts): string[] {
  if (mapping === null) return [];
  const { TotalPrice: price } = mapping.fields;
  const priceColumns = [price?.column ?? price?.columns ?? []].flat().map(String);
  const perPerson = priceColumns.find((column) => isPerPerson(column));
  const isEach = price?.times === undefined;
  const found =
    perPerson !== undefined && isEach
      ? [
          `Column ${perPerson} seems to have prices per person: multiply TotalPrice by the number of people ("times")`,
        ]
      : [];
  for (const [column, values] of profile.unread) {
    const finding = unreadFinding(column, [...values], isEach);
    if (finding !== null) found.push(finding);
  }
  return found;
}

/** Why a column that no field reads should be read. */
function unreadFinding(column: string, values: readonly string[], isEach: boolean): string | null {
  const name = lastName(column);
  const examples = values.slice(0, 3).join(', ').slice(0, 60);
  const what = `Column ${column} is not read (${examples})`;
  if (values.length === 0) return null;
  const isCurrency = CURRENCY.test(name) || values.every((value) => CURRENCY_CODE.test(value));
  if (isCurrency && values.some((value) => !POUNDS.includes(value.toUpperCase())))
    return `${what}: map it to Currency, which refuses other currencies, and ask the provider for pounds`;
  const amounts = values.filter((value) => AMOUNT.test(value) && /[1-9]/.test(value));
  const isAmount = amounts.length > 0 && values.every((value) => AMOUNT.test(value));
  if (isAmount && CHARGE.test(name))
    return `${what}: if the price lacks it, add it to TotalPrice ("plus"), or map it to LocalCharges if it is paid at the resort`;
  if (isAmount && WHOLE_PRICE.test(name)) return `${what}: map it to TotalPrice if it is the whole price`;
  if (
    isEach &&
    isPerPerson(name) &&
    values.some((value) => /^(?:true|yes|y|1|j|ja|pp|.*pers.*)$/i.test(value))
  )
    return `${what}: if prices are per person, multiply TotalPrice by the number of people ("times")`;
  if (PRICE.test(name) || !isAmount) return null;
  const isOther = (usual: string) => amounts.some((value) => value !== usual);
  if (CHILDREN.test(name)) return `${what}: map it to NumberOfChildren or NumberOfInfants`;
  return PEOPLE.test(name) && isOther('2') ? `${what}: map it to NumberOfAdults` : null;
}

function nightsFinding(nights: ReadonlyMap<number, number>): string | null {
  const all = [...nights.values()].reduce((sum, count) => sum + count, 0);
  const at = (shift: number) =>
    USUAL_NIGHTS.reduce((sum, usual) => sum + (nights.get(usual + shift) ?? 0), 0);
  if (all < MIN_PACKAGES || !isMore(at(1), 60, all) || isMore(at(0), 10, all)) return null;
  const most = [...nights].toSorted(([, one], [, other]) => other - one).slice(0, 3);
  return `Stays are ${most.map(([count]) => count).join(', ')} nights, each one more than usual: if the column counts days, map the day of return to ReturnDate, or give the nights in "values" of Duration`;
}

function positionFinding({ hotels }: FeedProfile): string | null {
  const placed = [...hotels.values()].flatMap(
    ({ hotel: { name, latitude, longitude }, place: { country } }) => {
      const facts = COUNTRY_FACTS.get(country);
      return facts === undefined || latitude === null || longitude === null
        ? []
        : [
            {
              name,
              country,
              isInside: isIn(facts, latitude, longitude),
              isSwapped: isIn(facts, longitude, latitude),
            },
          ];
    },
  );
  const outside = placed.filter(({ isInside }) => !isInside);
  const [first] = outside;
  if (first === undefined || !isMore(outside.length, MAX_ABROAD, placed.length)) return null;
  const isSwapped = outside.every((one) => one.isSwapped);
  return `${outside.length} of ${placed.length} hotels lie outside their country (${first.name} outside ${first.country}): ${isSwapped ? 'exchange the columns of Latitude and Longitude' : 'correct the columns of Latitude and Longitude, or leave both out'}`;
}

function isIn({ latitudes, longitudes }: CountryFacts, latitude: number, longitude: number): boolean {
  const isBetween = (value: number, [least, most]: readonly [number, number]) =>
    value >= least && value <= most;
  return isBetween(latitude, latitudes) && isBetween(longitude, longitudes);
}

/** Guest ratings are out of ten. */
function ratingFinding({ hotels, rangeOf }: FeedProfile): string | null {
  const most = Number(rangeOf('ConsumerRating')?.most ?? 10);
  if (most > 5 || hotels.size < MIN_PACKAGES) return null;
  return `No guest rating is above ${most}: if they are out of five, multiply ConsumerRating by 2 ("times")`;
}

function boardFinding(unknown: ReadonlyMap<string, number>): string | null {
  if (unknown.size === 0) return null;
  const boards = [...unknown].slice(0, 6).map(([board, count]) => `${board} (${count})`);
  return `Board codes that Skylark does not know: ${boards.join(', ')}. Give what they mean in "values" of BoardBasis, such as { "TI": "AI" }; until then, visitors see no board`;
}
