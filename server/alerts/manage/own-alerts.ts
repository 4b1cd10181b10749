import { dayNumber } from '../../../domain/calendar-date.ts';
import { londonClock } from '../../../domain/london-time.ts';
import { packageHistoryReader } from '../../price-history/package-history.ts';
import type { FoundLink, LinkContext } from '../inbound/find-link.ts';
import { contactsOfOwner } from '../tables/contacts.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { isSuppressed } from '../tables/stops.ts';
import { contactName } from '../texts/contact-name.ts';
import { holidayLink, usableSearch } from '../texts/holiday-link.ts';
import { packageDetails, packageName } from '../texts/message-text.ts';

/** What the page of a person's own alerts shows. */
export type OwnAlerts = ReturnType<typeof ownAlerts>;
export type OwnWatch = OwnAlerts['watches'][number];
export type OwnHoliday = NonNullable<OwnWatch['holiday']>;

/** Limits the work: each package is read from the store, in the thread that processes STOPs. */
const MAX_SHOWN = 100;

const MAX_HISTORIES = 20;

export function ownAlerts(context: LinkContext & { siteUrl: string | null }, { contact, link }: FoundLink) {
  const { store } = context;
  const rows = store.sql
    .all`select number, item_key, state, below_price, search, count(*) over () as count from alert_watch
    where contact = ${contact.id} and state <> 'ended' and departs_at > ${context.now}
    order by number limit ${MAX_SHOWN}`;
  const historyOf = packageHistoryReader(store.database, store.packages.totalAt);
  const today = dayNumber(londonClock(context.now).day);
  const holidayOf = (onSale: PackageOnSale, search: string | null, index: number) => ({
    name: packageName(onSale),
    details: packageDetails(onSale),
    price: onSale.price,
    /** The link to the holiday's search on our page, with its card marked. */
    link: holidayLink(context.siteUrl, onSale, {
      search: usableSearch({ search }, context.now),
      isCounted: false,
    }),
    /** Null after the first `MAX_HISTORIES` watches. */
    history: index < MAX_HISTORIES ? historyOf(onSale.offer, today) : null,
  });
  return {
    channel: contact.channel,
    /** Abbreviated, because anyone with the link can see it. */
    contact: contactName(store, contact),
    linkEndsAt: link.expiresAt,
    isStopped: isSuppressed(store, contact),
    /** Whether the person has other contacts, which stopping everything would stop too. */
    hasOthers: contactsOfOwner(store, contact).length > 0,
    watchesInAll: Number(rows[0]?.count ?? 0),
    watches: rows.map(({ number, item_key, state, below_price, search }, index) => {
      const onSale = store.packages.find(String(item_key));
      return {
        number: Number(number),
        /** False if the watch still has to be confirmed. */
        isConfirmed: state === 'active',
        below: below_price === null ? null : Number(below_price),
        /** Null if the holiday is not on sale at the moment. */
        holiday: onSale === null ? null : holidayOf(onSale, search as string | null, index),
      };
    }),
  };
}
