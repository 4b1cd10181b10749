import type { SqlRow } from '../../storage/sql-database.ts';
import { subjectOf } from '../matching/describe-search.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { Contact } from '../tables/contacts.ts';
import { readText } from '../tables/messages.ts';
import { isSuppressed } from '../tables/stops.ts';
import { contactName } from '../texts/contact-name.ts';

/** The most records of each kind, because anyone with the link can download them repeatedly. */
const MAX_RECORDS = 1_000;

/** The most holidays that are described: each is read from the store, in the thread that processes STOPs. */
const MAX_NAMED = 100;

/** The latest records about a person, as indented JSON. */
export async function ownData(store: AlertSession, contact: Contact, now: number): Promise<string> {
  return `${JSON.stringify(await ownRecords(store, contact, now), null, 2)}\n`;
}

/** Lists have the latest records, oldest first; `keptInAll` counts all. Prices are in pounds. */
async function ownRecords(store: AlertSession, contact: Contact, now: number) {
  const { sql } = store;
  const { id, contactKey } = contact;
  const watches =
    await sql.all`select number, item_key, state, limit_price, booked_price, told, prices, search, created_at as "createdAt",
      ended_at as "endedAt" from alert_watch left join alert_search on watch = id where contact = ${id} order by number desc limit ${MAX_RECORDS}`;
  const messages =
    await sql.all`select kind, state, created_at as "createdAt", settled_at as "settledAt", body
    from alert_message where contact = ${id} order by id desc limit ${MAX_RECORDS}`;
  const consents = await sql.all`select act, item_key as "itemKey", wording, wording_version as version, at
    from alert_consent where contact_key = ${contactKey} order by id desc limit ${MAX_RECORDS}`;
  const acts = await sql.all`select act, why, at from alert_audit
    where contact_key = ${contactKey} order by id desc limit ${MAX_RECORDS}`;
  const nameOf = async (itemKey: string) => (await subjectOf(store, itemKey, now))?.words ?? null;
  return {
    contact: await contactName(store, contact),
    channel: contact.channel,
    downloadedAt: new Date(now).toISOString(),
    knownSince: instant(contact.createdAt),
    isStopped: await isSuppressed(store, contact),
    keptInAll: await sql.get`select
      (select count(*) from alert_watch where contact = ${id}) as watches,
      (select count(*) from alert_message where contact = ${id}) as messages,
      (select count(*) from alert_consent where contact_key = ${contactKey}) as consents,
      (select count(*) from alert_audit where contact_key = ${contactKey}) as "operatorActs"`,
    watches: (
      await Promise.all(
        watches.map(async ({ number, item_key, state, search, prices, ...row }, index) => ({
          number,
          itemKey: item_key,
          holiday: index < MAX_NAMED ? await nameOf(String(item_key)) : null,
          state,
          search,
          ...(prices !== null && { prices: JSON.parse(String(prices)) as unknown }),
          ...dated(inPounds(row)),
        })),
      )
    ).toReversed(),
    messages: messages
      .map(({ body, ...message }) => ({ ...dated(message), text: readText(body)?.text ?? null }))
      .toReversed(),
    consents: consents.map(dated).toReversed(),
    operatorActs: acts.map(dated).toReversed(),
  };
}

/** The limit, the booked price and the price last sent of a watched search, in pounds; null for a package. */
function inPounds({ limit_price, booked_price, told, ...times }: SqlRow): SqlRow {
  const pounds = (pence: unknown) => (typeof pence === 'number' ? pence / 100 : null);
  return { alertsUpTo: pounds(limit_price), booked: pounds(booked_price), lastTold: pounds(told), ...times };
}

function dated(row: SqlRow): SqlRow {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    /(^a|A)t$/.test(name) ? instant(value) : value,
  ]);
  return Object.fromEntries(entries) as SqlRow;
}

function instant(at: unknown): string | null {
  return typeof at === 'number' ? new Date(at).toISOString() : null;
}
