import type { PriceStanding } from '../../domain/price-standing.ts';
import type { NameData, NamesAndCharges, OfferRow, RecordData, ReferenceData } from './inventory.ts';
import { NO_CHARGES, type OfferCharges, offerCharges } from './offer-charges.ts';
import { type SameHotels, sameHotelsOf } from './same-hotels.ts';

/**
 * The dictionaries for searches: by ID for offers, by name for filters. Those that grow with the packages are
 * read record by record, so that they need not fit into memory.
 */
export interface Catalogue extends NameLookUps, RecordLookUps {
  readonly countriesNamed: Named<'countries'>;
  readonly regionsNamed: Named<'regions'>;
  readonly resortsNamed: Named<'resorts'>;
  readonly airportsCoded: Named<'airports'>;
  readonly providersCoded: Named<'providers'>;
  readonly boardsCoded: Named<'boards'>;
  readonly charges: OfferCharges;
  readonly sameHotels: SameHotels;
  /** By provider code. */
  readonly standings: ReadonlyMap<string, PriceStanding>;
}

/** A catalogue that can also look up the codes of an ItemKey. */
export interface CodedCatalogue extends Catalogue {
  /** Reads the hotels, flights and rooms of these offers. Call it before reading them. */
  load(offers: readonly OfferRow[]): Promise<void>;
  /** Looks up a hotel by its exact code. */
  hotelsCoded(code: string): Promise<readonly RecordData['hotels'][number][]>;
  roomsCoded(code: string): Promise<readonly RecordData['rooms'][number][]>;
}

type NameLookUps = { readonly [K in keyof NameData]: ReadonlyMap<number, NameData[K][number]> };

export interface LookUp<K extends keyof RecordData> {
  get(id: number): RecordData[K][number] | undefined;
}

export type RecordLookUps = { readonly [K in keyof RecordData]: LookUp<K> };

/** Looks up all records with a name, because several places may share one. */
export type Named<K extends keyof ReferenceData> = (name: string) => readonly ReferenceData[K][number][];

export function buildCatalogue(names: NamesAndCharges, { hotels, flights, rooms }: RecordLookUps): Catalogue {
  const [countries, regions, resorts] = [byId(names.countries), byId(names.regions), byId(names.resorts)];
  const parties = byId(names.parties);
  return {
    countries,
    regions,
    resorts,
    airports: byId(names.airports),
    providers: byId(names.providers),
    boards: byId(names.boards),
    parties,
    hotels,
    flights,
    rooms,
    countriesNamed: named(names.countries, ({ name }) => name),
    regionsNamed: named(names.regions, ({ name }) => name),
    resortsNamed: named(names.resorts, ({ name }) => name),
    airportsCoded: named(names.airports, ({ code }) => code),
    providersCoded: named(names.providers, ({ code }) => code),
    boardsCoded: named(names.boards, ({ code }) => code),
    sameHotels: sameHotelsOf(names.sameHotels ?? []),
    standings: names.standings ?? new Map(),
    charges: offerCharges(names.charges ?? NO_CHARGES, {
      placeOf(id) {
        const resort = recordOf(resorts, id);
        const region = recordOf(regions, resort.region);
        const country = recordOf(countries, region.country);
        return { country: country.name, region: region.name, resort: resort.name };
      },
      partyOf: (id) => recordOf(parties, id),
    }),
  };
}

/** Whether two names are the same, regardless of case and surrounding blanks. */
export function isSameName(one: string, other: string): boolean {
  return foldedName(one) === foldedName(other);
}

/** An offer refers to a record that the store does not have. */
export class MissingRecord extends Error {
  override readonly name = 'MissingRecord';
}

/** The record with an ID. Throws if it is missing, because then the store is damaged. */
export function recordOf<T>(records: { get(id: number): T | undefined }, id: number): T {
  const record = records.get(id);
  if (record === undefined)
    throw new MissingRecord(`The store has an offer that refers to a missing record: ${id}`);
  return record;
}

function byId<T extends { id: number }>(records: readonly T[]): ReadonlyMap<number, T> {
  return new Map(records.map((record) => [record.id, record]));
}

function named<T>(records: readonly T[], nameOf: (record: T) => string): (name: string) => readonly T[] {
  const byName = Map.groupBy(records, (record) => foldedName(nameOf(record)));
  return (name) => byName.get(foldedName(name)) ?? [];
}

/** A name trimmed and in lower case, for comparisons. */
export function foldedName(name: string): string {
  return name.trim().toLowerCase();
}
