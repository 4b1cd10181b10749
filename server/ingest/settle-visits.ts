import { priceStanding } from '../../domain/price-standing.ts';
import { LIFTED_NOTE, STANDING_NOTE } from '../inventory/inventory-notes.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER } from '../inventory/offer-columns.ts';
import { renewReferenceVersion } from '../inventory/tables/reference-tables.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { readNote, removeNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../storage/sql-database.ts';

/** The four weeks by which a provider's prices are judged. */
const JUDGED_MINUTES = 28 * 24 * 60;

/** The most packages that count from one client, and imports that count of one package. */
const MAX_COUNTED = 5;

/**
 * Records the new price, or sold out, of packages clicked since the provider's last feed, and judges the provider by
 * these and by price checks. Call it last in an import's transaction, even for an unchanged feed. Skips clicks after `importedAt` (the
 * import's start, in minutes since the epoch), and packages that depart before `firstDay`, which no feed contains.
 */
export async function settleVisits(
  tx: SqlSession,
  { provider, importedAt, firstDay }: { provider: number; importedAt: number; firstDay: number },
): Promise<void> {
  await settleClicks(tx, { provider, importedAt, firstDay });
  await renewStanding(tx, provider, importedAt);
}

async function settleClicks(
  tx: SqlSession,
  { provider, importedAt, firstDay }: Parameters<typeof settleVisits>[1],
): Promise<void> {
  const clicked = await tx
    .prepare(
      `select distinct item_key from site_visit
      where provider = ? and settled_at is null and visited_at <= ?`,
    )
    .rows(provider, importedAt);
  if (clicked.length === 0) return;
  const catalogue = await storedCatalogue()(tx);
  const priceOf = tx.prepare(`select price from offer where ${IS_OFFER}`);
  const settle = tx.prepare(
    `update site_visit set settled_at = ?, next_price = case when is_check = 1 then next_price else ? end
    where provider = ? and item_key = ? and settled_at is null and visited_at <= ?`,
  );
  for (const [itemKey] of clicked) {
    const key = await parseItemKey(String(itemKey), catalogue);
    if (key !== null && key[OFFER.departureDay] < firstDay) continue;
    const price = key === null ? undefined : (await priceOf.row(...key))?.[0];
    await settle.run(
      importedAt,
      price === undefined ? null : Number(price),
      provider,
      String(itemKey),
      importedAt,
    );
  }
}

/** Judges a provider by the last weeks' clicks and checks. If its standing changes, makes servers reload it. */
async function renewStanding(tx: SqlSession, provider: number, importedAt: number): Promise<void> {
  const code = String((await tx.prepare('select code from provider where id = ?').row(provider))?.[0]);
  const liftedAt = Number((await readNote(tx, LIFTED_NOTE + code)) ?? 0);
  const groups = (await tx.prepare(JUDGED).rows(provider, importedAt - JUDGED_MINUTES, liftedAt)).map(
    ([compared, farHigher]) => ({ compared: Number(compared), farHigher: Number(farHigher) }),
  );
  const standing = priceStanding(groups);
  const note = STANDING_NOTE + code;
  if ((await readNote(tx, note)) === standing) return;
  if (standing === null) await removeNote(tx, note);
  else await writeNote(tx, note, standing);
  await renewReferenceVersion(tx);
}

/**
 * Counts the packages compared, and those that were far higher, of clicks and of checks. Each package counts once an
 * import. The limits of `MAX_COUNTED` keep one client, or one package, from deciding.
 */
const JUDGED = `
  with of_client as (
    select is_check, item_key, settled_at, min(case when next_price * 20 > price * 21 then 1 else 0 end) as far_higher,
      row_number() over (partition by is_check, client order by settled_at desc, item_key) as nth
    from site_visit where provider = ? and settled_at > ? and visited_at > ? and next_price is not null
    group by is_check, client, item_key, settled_at),
  of_package as (
    select is_check, min(far_higher) as far_higher,
      row_number() over (partition by is_check, item_key order by settled_at desc) as nth
    from of_client where nth <= ${MAX_COUNTED} group by is_check, item_key, settled_at)
  select count(*), sum(far_higher) from of_package where nth <= ${MAX_COUNTED} group by is_check`;

/**
 * Ends a provider's standing. What visitors have seen until `now`, in milliseconds since the epoch, no longer counts
 * against it. Returns false if its standing is good.
 */
export async function liftStanding(database: SqlDatabase, code: string, now: number): Promise<boolean> {
  return database.write(`offers of ${code}`, async (tx) => {
    if ((await readNote(tx, STANDING_NOTE + code)) === null) return false;
    await removeNote(tx, STANDING_NOTE + code);
    await writeNote(tx, LIFTED_NOTE + code, String(Math.floor(now / 60_000)));
    await renewReferenceVersion(tx);
    return true;
  });
}
