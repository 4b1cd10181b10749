import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAirports } from '../../../domain/airport.ts';
import { boardBasisWords } from '../../../domain/board-basis.ts';
import type { Pence } from '../../../domain/money.ts';
import { partyCode } from '../../../domain/party.ts';
import type { ComparablePackage } from '../../../domain/similar-package.ts';
import { airportNeighbours } from '../../inventory/airport-neighbours.ts';
import { type CodedCatalogue, recordOf } from '../../inventory/catalogue.ts';
import { deepLinkOf } from '../../inventory/deep-link.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { itemKeyOf, parseItemKey } from '../../inventory/item-key.ts';
import { localTimes } from '../../inventory/local-time.ts';
import { offerCodes } from '../../inventory/offer-codes.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import {
  type ReadCatalogue,
  type StoredCatalogue,
  storedCatalogue,
} from '../../inventory/tables/stored-catalogue.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { SqlSession } from '../../storage/sql-database.ts';

/** A package on sale. Has names and codes instead of the store's IDs, which change with the inventory. */
export interface PackageOnSale extends ComparablePackage {
  itemKey: string;
  offer: OfferRow;
  /** Includes the charges payable at the resort. Recorded prices exclude them, as in `offer`. */
  price: Pence;
  /** The charges in the price; null: unknown, and not in it. */
  charges: Pence | null;
  /** Milliseconds since 1970 UTC. */
  departsAt: number;
  expiresAt: number;
  hotelCode: string;
  hotelName: string;
  boardWords: string;
  airportName: string;
  providerName: string;
  /** '' if the package has none. */
  link: string;
}

/** Holidays in one resort, on some days and from some airports. */
export interface HolidayKind {
  resort: string;
  nights: number;
  /** The code of adults, children and infants. */
  party: string;
  days: readonly number[];
  airports: ReadonlySet<string>;
}

/** A resort's key with country and region, because several regions may have a resort of the same name. */
export function resortKey(place: Pick<ComparablePackage, 'country' | 'region' | 'resort'>): string {
  return `${place.country}/${place.region}/${place.resort}`;
}

export type PackageLookup = ReturnType<typeof packageLookup>;

const AIRPORTS = join(import.meta.dirname, '../../../assets/departure-airports.csv');
const MS_A_MINUTE = 60_000;

/** What look-ups in one store share. */
export interface PackageNames {
  catalogueIn: ReadCatalogue;
  airportsNear(code: string): ReadonlySet<string>;
}

export function packageNames(): PackageNames {
  const near = airportNeighbours(parseAirports(readFileSync(AIRPORTS, 'utf8')));
  const nearby = new Map<string, ReadonlySet<string>>();
  return {
    catalogueIn: storedCatalogue(),
    airportsNear(code) {
      const known = nearby.get(code) ?? near(code);
      nearby.set(code, known);
      return known;
    },
  };
}

/** Reads packages in a session. Loads dictionaries again after they have been replaced. */
export function packageLookup(session: SqlSession, names: PackageNames = packageNames()) {
  const offerByKey = session.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
  const offersOfKind = session.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer
    where ${session.anyOf('departure_day')} and nights = ? and ${session.anyOf('party')}
      and country = ? and region = ? and resort = ? and ${session.anyOf('airport')}`);
  let seen: { version: string; reader: PackageReader } | null = null;

  /** Reads packages with the current dictionaries, with the records of these offers. */
  async function reader(offers: readonly OfferRow[] = []): Promise<PackageReader> {
    const current = await names.catalogueIn(session);
    if (seen?.version !== current.version)
      seen = { version: current.version, reader: packageReader(current) };
    await seen.reader.load(offers);
    return seen.reader;
  }

  return {
    reader,
    async find(itemKey: string): Promise<PackageOnSale | null> {
      const key = await (await reader()).keyOf(itemKey);
      if (key === null) return null;
      session.cluster?.requireDays([key[OFFER.departureDay]]);
      const offer = (await offerByKey.row(...key)) as unknown as OfferRow | undefined;
      return offer === undefined ? null : (await reader([offer])).read(offer);
    },
    /** The packages of a kind, except those of providers that searches hide. */
    async onSale({ resort, nights, party, days, airports }: HolidayKind): Promise<PackageOnSale[]> {
      const { resortsKeyed, idsOf } = await reader();
      session.cluster?.requireDays(days);
      const { parties, airports: from } = idsOf({ party, airports });
      const found = await mapInOrder(resortsKeyed(resort), (place) =>
        offersOfKind.rows(days, nights, parties, ...place, from),
      );
      const offers = found.flat() as unknown as OfferRow[];
      const { isHidden, read } = await reader(offers);
      return offers.filter((offer) => !isHidden(offer)).map(read);
    },
    read: async (offer: OfferRow): Promise<PackageOnSale> => (await reader([offer])).read(offer),
    /** The codes of the airports that share a region with this one, including its own. */
    airportsNear: names.airportsNear,
  };
}

type PackageReader = ReturnType<typeof packageReader>;

/** Reads packages with one version of the dictionaries. */
function packageReader(catalogue: StoredCatalogue) {
  const times = localTimes();
  const codesOf = offerCodes(catalogue);
  let resorts: ReturnType<typeof resortsByKey> | null = null;
  return {
    load: catalogue.load,
    /** The IDs of country, region and resort for each resort with this key. */
    resortsKeyed(key: string): (readonly [number, number, number])[] {
      resorts ??= resortsByKey(catalogue);
      const found = resorts.get(key) ?? [];
      return found.map(({ id, region }) => [recordOf(catalogue.regions, region).country, region, id]);
    },
    idsOf({ party, airports }: Pick<HolidayKind, 'party' | 'airports'>) {
      const parties = [...catalogue.parties.values()].filter((one) => partyCode(one) === party);
      const departure = [...airports].flatMap((code) => catalogue.airportsCoded(code));
      return { parties: parties.map(({ id }) => id), airports: departure.map(({ id }) => id) };
    },
    keyOf: (itemKey: string) => parseItemKey(itemKey, catalogue),
    itemKeyOf: (offer: OfferRow) => itemKeyOf(codesOf(offer)),
    /** The total that the visitor would pay at a recorded price of the offer. */
    totalAt: catalogue.charges.totalAt,
    isHidden: (offer: OfferRow) =>
      catalogue.standings.get(recordOf(catalogue.providers, offer[OFFER.provider]).code) === 'hidden',
    read(offer: OfferRow): PackageOnSale {
      const [day, nights, party, country, region, resort, airportId, hotel, board, , providerId] = offer;
      const airport = recordOf(catalogue.airports, airportId);
      const provider = recordOf(catalogue.providers, providerId);
      const boardCode = recordOf(catalogue.boards, board).code;
      const codes = codesOf(offer);
      return {
        itemKey: itemKeyOf(codes),
        offer,
        country: recordOf(catalogue.countries, country).name,
        region: recordOf(catalogue.regions, region).name,
        resort: recordOf(catalogue.resorts, resort).name,
        departure: codes.date,
        nights,
        party: partyCode(recordOf(catalogue.parties, party)),
        airport: airport.code,
        board: boardCode,
        halfStars: offer[OFFER.halfStars],
        price: catalogue.charges.totalAt(offer, offer[OFFER.price]),
        charges: catalogue.charges.chargeOf(offer),
        departsAt: times.toInstant(airport.timezone, day, offer[OFFER.departureMinute]) * MS_A_MINUTE,
        expiresAt: offer[OFFER.expiresAt] * MS_A_MINUTE,
        hotelCode: codes.hotel,
        hotelName: recordOf(catalogue.hotels, hotel).name,
        boardWords: boardBasisWords(boardCode),
        airportName: airport.name,
        providerName: provider.name,
        link:
          offer[OFFER.link] ??
          (provider.linkTemplate === null ? '' : deepLinkOf(provider.linkTemplate)(codes)),
      };
    },
  };
}

function resortsByKey({ resorts, regions, countries }: CodedCatalogue) {
  return Map.groupBy(resorts.values(), (one) => {
    const region = recordOf(regions, one.region);
    const country = recordOf(countries, region.country);
    return resortKey({ country: country.name, region: region.name, resort: one.name });
  });
}
