import type { DatabaseSync } from 'node:sqlite';
import { dayNumber, fromDayNumber } from '../../domain/calendar-date.ts';
import type { Pence } from '../../domain/money.ts';
import { priceChanged } from '../../domain/price-drop.ts';
import { isSimilarPackage, SIMILAR_DAYS } from '../../domain/similar-package.ts';
import type { PriceChange, PriceChangeListener } from '../storage/price-changes.ts';
import { type KnownPackage, knownPackages } from './known-packages.ts';
import { resortKey } from './watches.ts';

const PRICE = 11;

/**
 * Finds the watches that a price change touches and puts their alerts into the outbox, all in the transaction
 * that writes the price. When an alert may be sent, and whether it still holds then, is decided when it is due.
 * `now` is in milliseconds since 1970.
 */
export function priceDropListener(database: DatabaseSync, now: () => number): PriceChangeListener {
  const packages = knownPackages(database);
  const sql = database.createTagStore();

  function fell(change: PriceChange, at: number): void {
    const offer = packages.read(change.new);
    const day = dayNumber(offer.departure);
    const watches = sql.all`select id, person, airport, board, half_stars, departure_day from alert_watch
      where state = 'active' and resort = ${resortKey(offer)} and nights = ${offer.nights}
        and party = ${offer.party} and departure_day between ${day - SIMILAR_DAYS} and ${day + SIMILAR_DAYS}
        and departs_at > ${at}` as unknown as MatchedWatch[];
    const similar = watches.filter((watch) => covers(watch, offer));
    for (const watch of similar) fellFor(watch, offer, change.old[PRICE], at);
  }

  function covers({ airport, board, half_stars, departure_day }: MatchedWatch, offer: KnownPackage): boolean {
    const departure = fromDayNumber(departure_day);
    const watched = { ...offer, airport, board, departure, halfStars: half_stars };
    return isSimilarPackage(watched, offer, packages.airportsNear(airport));
  }

  function fellFor(watch: MatchedWatch, { itemKey, price }: KnownPackage, was: Pence, at: number): void {
    const held = sql.get`select reference from alert_watched_price
      where item_key = ${itemKey} and watch = ${watch.id}`?.reference;
    const seen = priceChanged(typeof held === 'number' ? held : null, { was, price });
    sql.run`insert into alert_watched_price (item_key, watch, reference)
      values (${itemKey}, ${watch.id}, ${seen.reference})
      on conflict (item_key, watch) do update set reference = excluded.reference`;
    if (!seen.isDrop) return;
    sql.run`insert into alert_message (person, watch, kind, form, state, due_at, created_at)
      values (${watch.person}, ${watch.id}, 'drop', 'template', 'queued', ${at}, ${at})
      on conflict (watch) where state = 'queued' and kind = 'drop' do nothing`;
  }

  /** A price at or above the reference is the new one, which needs no row. */
  function rose(change: PriceChange): void {
    const { itemKey, price } = packages.read(change.new);
    sql.run`delete from alert_watched_price where item_key = ${itemKey} and reference <= ${price}`;
  }

  return (changes) => {
    const watching = sql.get`select 1 from alert_watch where state = 'active' limit 1`;
    if (watching === undefined) return;
    const at = now();
    for (const change of changes) {
      if (change.new[PRICE] < change.old[PRICE]) fell(change, at);
      else rose(change);
    }
  };
}

interface MatchedWatch {
  id: number;
  person: number;
  airport: string;
  board: string;
  half_stars: number;
  departure_day: number;
}
