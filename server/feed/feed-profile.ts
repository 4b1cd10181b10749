import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { FlatItem } from './formats/flat-item.ts';
import type { FeedPackage } from './map/feed-package.ts';
import { isKnownBoard } from './map/to-feed-package.ts';
import { poundsOf } from './write/import-guardrails.ts';

const MAX_EXAMPLES = 3;
/** Different values that are kept of a column that no field reads. */
const MAX_VALUES = 20;
const MAX_COLUMNS = 100;
const SHOWN_HOTELS = 10;
const MAX_HOTELS = 5_000;
const MAX_LISTED = 12;

/** A child costs about half as much as an adult. */
const CHILD_SHARE = 0.5;

/** Packages of one stay in one place, and the sum of their prices per adult. */
export interface PriceGroup {
  resort: number;
  country: string;
  nights: number;
  month: number;
  packages: number;
  pence: number;
}

export type FeedProfile = ReturnType<typeof feedProfile>;

/** Gathers what an expert looks at before a feed goes on sale. */
export function feedProfile() {
  const fields = new Map<string, { least: unknown; most: unknown; examples: Set<string> }>();
  const unread = new Map<string, Set<string>>();
  const unknownBoards = new Map<string, number>();
  const nights = new Map<number, number>();
  const parties = new Map<string, number>();
  const airports = new Map<string, number>();
  const groups = new Map<string, PriceGroup>();
  const hotels = new Map<string, FeedPackage>();
  let packages = 0;

  function noteField(field: string, value: unknown): void {
    let noted = fields.get(field);
    if (noted === undefined) {
      noted = { least: value, most: value, examples: new Set() };
      fields.set(field, noted);
    }
    if (noted.examples.size < MAX_EXAMPLES) noted.examples.add(shown(field, value));
    // All values of a field have one type.
    if ((value as number) < (noted.least as number)) noted.least = value;
    if ((value as number) > (noted.most as number)) noted.most = value;
  }

  return {
    unread,
    unknownBoards,
    nights,
    hotels,
    groups: () => [...groups.values()],
    packages: () => packages,
    rangeOf: (field: string) => fields.get(field),
    onItem(item: FlatItem): void {
      for (const field in item) {
        const value = item[field as keyof FlatItem];
        if (value !== undefined) noteField(field, value);
      }
      const { BoardBasis: board } = item;
      if (board !== undefined && !isKnownBoard(board)) add(unknownBoards, board);
    },
    onUnread(column: string, value: string): void {
      const values = unread.get(column) ?? new Set();
      if (unread.size < MAX_COLUMNS) unread.set(column, values);
      if (values.size < MAX_VALUES && value.trim() !== '') values.add(value.trim());
    },
    onPackage(row: OfferRow, offer: FeedPackage): void {
      packages += 1;
      add(nights, offer.nights);
      add(airports, offer.airport);
      const { adults, children, infants } = offer;
      add(parties, `${adults}-${children}-${infants}`);
      if (hotels.size < MAX_HOTELS && !hotels.has(offer.hotel.code)) hotels.set(offer.hotel.code, offer);
      const { country } = offer.place;
      noteGroup(groups, {
        resort: row[OFFER.resort],
        country,
        nights: offer.nights,
        month: monthOf(offer.departureDay),
        packages: 1,
        pence: offer.price / headsOf(offer),
      });
    },
    lines(): string[] {
      const ofFields = [...fields].map(([field, { least, most, examples }]) => {
        const range = least === most ? '' : `${shown(field, least)} to ${shown(field, most)}; `;
        return `  ${field}: ${range}${[...examples].join(', ')}`;
      });
      const notRead = [...unread].map(
        ([column, values]) =>
          `  ${column}: ${[...values].slice(0, MAX_EXAMPLES).join(', ').slice(0, 120) || 'blank'}`,
      );
      const byCount = (counts: ReadonlyMap<string | number, number>) => {
        const most = [...counts].toSorted(([, one], [, other]) => other - one);
        const others = most.length > MAX_LISTED ? `, and ${most.length - MAX_LISTED} others` : '';
        return `${most
          .slice(0, MAX_LISTED)
          .map(([value, count]) => `${value} (${count})`)
          .join(', ')}${others}`;
      };
      return [
        'A package of each of ten hotels:',
        ...[...hotels.values()].slice(0, SHOWN_HOTELS).map((offer) => `  ${describePackage(offer)}`),
        'Fields: range, and examples:',
        ...ofFields,
        ...(notRead.length > 0 ? ['Columns that no field reads:', ...notRead] : []),
        `Nights: ${byCount(nights)}.`,
        `Parties (adults-children-infants): ${byCount(parties)}.`,
        `Airports: ${byCount(airports)}.`,
      ];
    },
  };
}

/** Adds a group to those of the same stay and month. */
export function noteGroup(groups: Map<string, PriceGroup>, group: PriceGroup): void {
  const key = `${group.resort} ${group.nights} ${group.month}`;
  const { packages = 0, pence = 0 } = groups.get(key) ?? {};
  groups.set(key, { ...group, packages: packages + group.packages, pence: pence + group.pence });
}

export function headsOf({ adults, children }: { adults: number; children: number }): number {
  return adults + children * CHILD_SHARE;
}

/** Months since 1970, of 30 days. */
export const monthOf = (day: number) => Math.floor(day / 30);

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const PENCE: readonly string[] = ['TotalPrice', 'TotalPriceBeforeDiscount', 'LocalCharges'];

function shown(field: string, value: unknown): string {
  if (PENCE.includes(field)) return poundsOf(Number(value));
  const text = String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function describePackage({
  airport,
  departureDay,
  nights,
  hotel,
  place,
  board,
  ...offer
}: FeedPackage): string {
  const { adults, children, infants, price } = offer;
  const party = [
    adults === 1 ? '1 adult' : `${adults} adults`,
    children > 0 && `${children} children`,
    infants > 0 && `${infants} infants`,
  ];
  const stars = hotel.halfStars > 0 ? `${hotel.halfStars / 2} stars` : 'no stars';
  return `${hotel.name}, ${stars}, ${place.resort}, ${place.country}: ${airport} on ${fromDayNumber(departureDay)}, ${nights} nights, ${board}, ${party.filter(Boolean).join(', ')}: ${poundsOf(price)}`;
}
