import { dayNumber } from '../../../domain/calendar-date.ts';
import { londonClock } from '../../../domain/london-time.ts';
import { packageHistoryReader } from '../../price-history/package-history.ts';
import type { FoundLink, LinkContext } from '../inbound/find-link.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { contactsOfOwner } from '../tables/people.ts';
import { isSuppressed } from '../tables/suppression.ts';
import { contactName } from '../texts/contact-name.ts';
import { holidayLink } from '../texts/holiday-link.ts';
import { packageDetails, packageName } from '../texts/message-text.ts';

/** What the page of a person's own alerts shows. */
export type OwnAlerts = ReturnType<typeof ownAlerts>;
export type OwnWatch = OwnAlerts['watches'][number];
export type OwnHoliday = NonNullable<OwnWatch['holiday']>;

/** Watches that are shown. Each package is read from the store, and STOPs wait for that thread. */
const MOST = 100;

/** Watches that are shown with their price histories. Each history is read from the store. */
const HISTORIES = 20;

/** Reads a person's alerts. Changes nothing. */
export function ownAlerts(context: LinkContext & { siteUrl: string | null }, { person, link }: FoundLink) {
  const { store } = context;
  const rows = store.sql.all`select number, item_key, state, below_price from alert_watch
    where person = ${person.id} and state <> 'ended' and departs_at > ${context.now}
    order by number limit ${MOST}`;
  const counted = store.sql.get`select count(*) as count from alert_watch
    where person = ${person.id} and state <> 'ended' and departs_at > ${context.now}`;
  const historyOf = packageHistoryReader(store.database);
  const today = dayNumber(londonClock(context.now).day);
  const holidayOf = (onSale: PackageOnSale, index: number) => ({
    name: packageName(onSale),
    details: packageDetails(onSale),
    price: onSale.price,
    /** Our page with the search open and the card marked. */
    link: holidayLink(context.siteUrl, onSale, { isCounted: false }),
    /** Null for those beyond the first `HISTORIES`. */
    history: index < HISTORIES ? historyOf(onSale.offer, today) : null,
  });
  return {
    channel: person.channel,
    /** In words that do not give it away: whoever has the link may see them. */
    contact: contactName(store, person),
    linkEndsAt: link.expiresAt,
    isStopped: isSuppressed(store, person),
    /** Whether the person has other contacts, which 'everything' would stop too. */
    hasOthers: contactsOfOwner(store, person).length > 0,
    watchesInAll: Number(counted?.count),
    watches: rows.map(({ number, item_key, state, below_price }, index) => {
      const onSale = store.packages.find(String(item_key));
      return {
        number: Number(number),
        /** False: it waits to be confirmed. */
        isConfirmed: state === 'active',
        below: below_price === null ? null : Number(below_price),
        /** Null: not on sale at the moment. */
        holiday: onSale === null ? null : holidayOf(onSale, index),
      };
    }),
  };
}
