import { readFileSync } from 'node:fs';
import { expandAirport, parseAirports } from '../../domain/airport.ts';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { ukHoliday } from '../../domain/uk-holidays.ts';
import { nationOfAirport } from '../../domain/uk-nation.ts';
import type { Catalogue } from '../../server/inventory/catalogue.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import type { PriceAnalysis } from '../../server/price-history/analyse-prices.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';

/** A package and what the product says of its price. */
export interface OracleCard {
  offer: OfferRow;
  analysis: PriceAnalysis;
}

/** The classes of board as docs/price-analysis.md lists them. */
const BOARDS = ['RO SC NA', 'BB CB', 'HB DH', 'FB FP', 'AI AP DI CL'].map((codes) => codes.split(' '));

/**
 * Recomputes verdicts from the stored rows by docs/price-analysis.md, and shares no code with the product's
 * comparisons. The expected price is taken from the analysis, and the coefficients that convert other parties' prices
 * from the model. Returns a sentence for each fault of a card.
 */
export function verdictOracle(
  database: SqlDatabase,
  catalogue: Catalogue,
  nowMs: number,
  staleAfterDays: number,
): (card: OracleCard) => string[] {
  const now = Math.floor(nowMs / 60_000);
  const today = Math.floor(now / 1440);
  const near = database.prepare(
    `select * from offer where departure_day in (select value from json_each(?)) and nights = ? and country = ? and region = ?
      and hotel <> ? and abs(half_stars - ?) <= 1 and expires_at > ? and seen_at >= ?`,
  );
  const regions = airportRegions();
  const code = (airport: number) => catalogue.airports.get(airport)?.code ?? '';
  const holidayOn = (day: number, airport: string) =>
    ukHoliday(fromDayNumber(day), nationOfAirport(airport))?.name ?? null;
  const boardClass = (board: number) => {
    const boardCode = catalogue.boards.get(board)?.code ?? '';
    return BOARDS.find((codes) => codes.includes(boardCode))?.[0] ?? boardCode;
  };

  const body = database.prepare('select body from price_model order by version desc limit 1').row()?.[0];
  const shares = body === undefined ? null : sharesOf(String(body));
  /** The logarithm of what a party pays in a room of a hotel; NaN if the model does not know the party or the room. */
  function partyLevel(party: number, room: number, hotel: number, nights: number): number {
    const who = catalogue.parties.get(party);
    const fares = (who?.adults ?? 0) + 0.6 * (who?.children ?? 0) + 0.1 * (who?.infants ?? 0);
    const of = (trait: string, level: string) => shares?.[trait]?.[level];
    return (
      Math.log(fares) +
      (of('party', `${party}`) ?? Number.NaN) +
      (of('room', `${room}`) ?? Number.NaN) +
      (of('roomNights', `${room}/${nights}`) ?? 0) +
      (of('partyNights', `${party}/${nights}`) ?? 0) +
      (of('hotelParty', `${hotel}/${party}`) ?? 0)
    );
  }

  function comparables(offer: OfferRow): { prices: number[]; hotels: number } {
    const day = offer[OFFER.departureDay];
    const from = code(offer[OFFER.airport]);
    const rows = near
      .all(
        JSON.stringify(Array.from({ length: 15 }, (_, index) => day - 7 + index)),
        offer[1],
        offer[3],
        offer[4],
        offer[OFFER.hotel],
        offer[OFFER.halfStars],
        now,
        now - staleAfterDays * 1440,
      )
      .filter(
        (row) =>
          boardClass(Number(row.board)) === boardClass(offer[OFFER.board]) &&
          shareRegion(regions, from, code(Number(row.airport))) &&
          holidayOn(Number(row.departure_day), from) === holidayOn(day, from),
      )
      .map((row) => {
        const [hotel, party, room] = [Number(row.hotel), Number(row.party), Number(row.room)];
        const isOwn = party === offer[OFFER.party];
        const level = (one: number, its: number) => partyLevel(one, its, hotel, offer[1]);
        const by = isOwn ? 0 : level(offer[OFFER.party], offer[OFFER.room]) - level(party, room);
        const price = isOwn ? Number(row.price) : Math.round(Number(row.price) * Math.exp(by));
        return { price, hotel, resort: Number(row.resort), isOwn };
      })
      .filter(({ price }) => !Number.isNaN(price));
    const used = (some: typeof rows) => ({
      prices: some.map(({ price }) => price),
      hotels: new Set(some.map(({ hotel }) => hotel)).size,
    });
    const own = rows.filter(({ isOwn }) => isOwn);
    const inResort = (some: typeof rows) => some.filter(({ resort }) => resort === offer[OFFER.resort]);
    const choices = [inResort(own), own, inResort(rows), rows].map(used);
    const isEnough = ({ prices, hotels }: { prices: number[]; hotels: number }) =>
      prices.length >= 7 && hotels >= 3;
    return choices.find(isEnough) ?? used(own);
  }

  const path = database.prepare(
    'select last_day, levels from price_path where hotel = ? and departure_month = ?',
  );
  function ownPrices(offer: OfferRow): number[] {
    const departure = new Date(offer[OFFER.departureDay] * 86_400_000);
    const month = (departure.getUTCFullYear() - 1970) * 12 + departure.getUTCMonth();
    const row = path.get(offer[OFFER.hotel], month);
    const bytes = row?.levels;
    if (!(bytes instanceof Uint8Array)) return [offer[OFFER.price]];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const level = (day: number) =>
      view.getInt16(bytes.byteLength - 2 - 2 * (Number(row?.last_day) - day), true) / 10_000;
    const seenDay = Math.floor(offer[OFFER.seenAt] / 1440);
    const first = Number(row?.last_day) - bytes.byteLength / 2 + 1;
    const pounds = Math.floor(offer[OFFER.price] / 100);
    const before = Array.from(
      { length: seenDay - first },
      (_, index) =>
        Math.max(1, Math.round(pounds * Math.exp(level(first + index) - level(seenDay)))) * 100 +
        (offer[OFFER.price] % 100),
    );
    return [...before, offer[OFFER.price]];
  }

  return ({ offer, analysis }) => {
    const { verdict, price } = analysis;
    const fault = (text: string) => `${analysis.itemKey}: ${text}`;
    const like = comparables(offer);
    const own = ownPrices(offer);
    const isStale = Math.floor((now - offer[OFFER.seenAt]) / 1440) > staleAfterDays;
    const why = isStale
      ? 'stale'
      : own.length < 7
        ? 'few-own-prices'
        : like.prices.length < 7
          ? 'few-comparable-prices'
          : like.hotels < 3
            ? 'few-comparable-hotels'
            : null;
    const faults: string[] = [];
    if (price !== offer[OFFER.price]) faults.push(fault('another price than the stored one'));
    if (analysis.holiday !== holidayOn(offer[0], code(offer[OFFER.airport])))
      faults.push(fault('another holiday'));
    const recent = own.slice(-30);
    if (analysis.lowest30?.price !== Math.min(...recent))
      faults.push(
        fault(`30-day low of ${analysis.lowest30?.price}, not ${Math.min(...recent)} (today ${today})`),
      );
    if (verdict.kind === 'check-price') return faults;
    if (verdict.kind === 'no-verdict') {
      if (verdict.reason.kind !== why) faults.push(fault(`silent for ${verdict.reason.kind}, not ${why}`));
      return faults;
    }
    if (why !== null) return [...faults, fault(`a verdict in spite of ${why}`)];
    const [ownMiddle, likeMiddle] = [middleOf(own), middleOf(like.prices)];
    if (Math.abs(verdict.own.median - ownMiddle) > 1 || verdict.own.prices !== own.length)
      faults.push(fault('other own prices'));
    if (
      Math.abs(verdict.comparable.median - likeMiddle) > 1 ||
      verdict.comparable.prices !== like.prices.length ||
      verdict.comparable.hotels !== like.hotels
    )
      faults.push(fault('other comparable packages'));
    const { typicalLow, typicalHigh, level } = verdict;
    const word = price < typicalLow ? 'low' : price > typicalHigh ? 'high' : 'typical';
    if (word !== level) faults.push(fault(`${level} at ${price} in ${typicalLow} to ${typicalHigh}`));
    if (Math.min(ownMiddle, likeMiddle) < typicalLow || Math.max(ownMiddle, likeMiddle) > typicalHigh)
      faults.push(fault('a range without its medians'));
    const expected = analysis.evidence?.expected;
    if (expected && level === 'high' && price < expected.low)
      faults.push(fault('High below the expected range'));
    if (expected && level === 'low' && price > expected.high)
      faults.push(fault('Low above the expected range'));
    const shares = [price / ownMiddle, price / likeMiddle].toSorted((one, other) => one - other);
    if (level === 'low' && !((shares[0] ?? 1) < 0.85 && (shares[1] ?? 1) < 0.95))
      faults.push(fault('Low near a median'));
    if (level === 'high' && !((shares[1] ?? 1) > 1.15 && (shares[0] ?? 1) > 1.05))
      faults.push(fault('High near a median'));
    return faults;
  };
}

/** The coefficients of the stored model. */
function sharesOf(body: string): Record<string, Record<string, number>> | null {
  const models = JSON.parse(body) as {
    hedonic: { shares: Record<string, Record<string, number>> } | null;
  };
  return models.hedonic?.shares ?? null;
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

/** The lists of airports of each region in the departure airports list. */
function airportRegions(): (readonly string[])[] {
  return parseAirports(readFileSync('assets/departure-airports.csv', 'utf8'))
    .filter(({ isRegion }) => isRegion)
    .map((region) => expandAirport(region));
}

function shareRegion(regions: readonly (readonly string[])[], one: string, other: string): boolean {
  return one === other || regions.some((codes) => codes.includes(one) && codes.includes(other));
}
