import { priceStanding } from '../../domain/price-standing.ts';
import { STANDING_NOTE } from '../inventory/inventory-notes.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER } from '../inventory/offer-columns.ts';
import { renewReferenceVersion } from '../inventory/tables/reference-tables.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { readNote, removeNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** The four weeks by which a provider's prices are judged. */
const JUDGED_MINUTES = 28 * 24 * 60;

/**
 * Records the new price, or sold out, of packages clicked since the provider's last feed, and judges the provider by
 * these. Call it last in an import's transaction, even for an unchanged feed. Skips clicks after `importedAt` (the
 * import's start, in minutes since the epoch), and packages that depart before `firstDay`, which no feed contains.
 */
export function settleVisits(
  database: SqlDatabase,
  { provider, importedAt, firstDay }: { provider: number; importedAt: number; firstDay: number },
): void {
  settleClicks(database, { provider, importedAt, firstDay });
  renewStanding(database, provider, importedAt);
}

function settleClicks(
  database: SqlDatabase,
  { provider, importedAt, firstDay }: Parameters<typeof settleVisits>[1],
): void {
  const clicked = database
    .prepare(
      `select distinct item_key from site_visit
      where provider = ? and settled_at is null and visited_at <= ?`,
    )
    .rows(provider, importedAt);
  if (clicked.length === 0) return;
  const catalogue = storedCatalogue(database)();
  const priceOf = database.prepare(`select price from offer where ${IS_OFFER}`);
  const settle = database.prepare(
    `update site_visit set settled_at = ?, next_price = ?
    where provider = ? and item_key = ? and settled_at is null and visited_at <= ?`,
  );
  for (const [itemKey] of clicked) {
    const key = parseItemKey(String(itemKey), catalogue);
    if (key !== null && key[OFFER.departureDay] < firstDay) continue;
    const price = key === null ? undefined : priceOf.row(...key)?.[0];
    settle.run(importedAt, price === undefined ? null : Number(price), provider, String(itemKey), importedAt);
  }
}

/** Judges a provider by the last weeks' clicks and checks. If its standing changes, makes servers reload it. */
function renewStanding(database: SqlDatabase, provider: number, importedAt: number): void {
  // A price check is settled when it is recorded, so its two times are equal.
  const groups = database
    .prepare(
      `select count(*), sum(case when next_price * 20 > price * 21 then 1 else 0 end) from site_visit
      where provider = ? and settled_at > ? and next_price is not null
      group by case when settled_at = visited_at then 1 else 0 end`,
    )
    .rows(provider, importedAt - JUDGED_MINUTES)
    .map(([compared, farHigher]) => ({ compared: Number(compared), farHigher: Number(farHigher) }));
  const standing = priceStanding(groups);
  const code = database.prepare('select code from provider where id = ?').row(provider)?.[0];
  const note = `${STANDING_NOTE}${String(code)}`;
  if (readNote(database, note) === standing) return;
  if (standing === null) removeNote(database, note);
  else writeNote(database, note, standing);
  renewReferenceVersion(database);
}
