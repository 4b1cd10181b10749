import { dayNumber } from '../../../domain/calendar-date.ts';
import { londonClock } from '../../../domain/london-time.ts';
import { packageHistoryReader } from '../../price-history/package-history.ts';
import type { SignedLink } from '../keys/signed-link.ts';
import { ANY_PRICE, foundOnSale, searchName } from '../matching/describe-search.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import { type Contact, contactsOfOwner, isToBeErased } from '../tables/contacts.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { type SearchWatch, searchWatchOf } from '../tables/search-watches.ts';
import { isSuppressed } from '../tables/stops.ts';
import { contactName } from '../texts/contact-name.ts';
import { holidayLink, linkOfSearch, usableSearch } from '../texts/holiday-link.ts';
import { describePackage, packageDetails, packageName } from '../texts/message-text.ts';

export interface LinkContext<Store extends AlertSession = AlertSession> {
  store: Store;
  brandName: string;
  siteUrl: string | null;
  now: number;
}

/** A valid link and the person whom it belongs to. */
export interface FoundLink {
  link: SignedLink;
  contact: Contact;
}

/** What the page of a person's own alerts shows. */
export type OwnAlerts = Awaited<ReturnType<typeof ownAlerts>>;
export type OwnWatch = OwnAlerts['watches'][number];
export type OwnHoliday = NonNullable<OwnWatch['holiday']>;
export type OwnSearch = NonNullable<OwnWatch['search']>;

/** Limits the work: each package is read from the store, in the thread that processes STOPs. */
const MAX_SHOWN = 100;

const MAX_HISTORIES = 20;

export async function ownAlerts(context: LinkContext, { contact, link }: FoundLink) {
  const { store } = context;
  const rows = await store.sql
    .all`select id, number, item_key, state, search, count(*) over () as count from alert_watch
    where contact = ${contact.id} and state <> 'ended' and departs_at > ${context.now}
    order by number limit ${MAX_SHOWN}`;
  const historyOf = packageHistoryReader(store.session, (await store.packages.reader()).totalAt);
  const today = dayNumber(londonClock(context.now).day);
  const holidayOf = async (onSale: PackageOnSale, search: string | null, index: number) => ({
    name: packageName(onSale),
    details: packageDetails(onSale),
    price: onSale.price,
    /** The link to the holiday's search on our page, with its card marked. */
    link: holidayLink(context.siteUrl, onSale, usableSearch({ search }, context.now)),
    /** Null after the first `MAX_HISTORIES` watches. */
    history: index < MAX_HISTORIES ? await historyOf(onSale.offer, today) : null,
  });
  return {
    channel: contact.channel,
    /** Abbreviated, because anyone with the link can see it. */
    contact: await contactName(store, contact),
    linkEndsAt: link.expiresAt,
    isStopped: await isSuppressed(store, contact),
    /** The browser's push subscription has ended, so nothing can reach it. */
    hasEnded: contact.channel === 'push' && (await isToBeErased(store, contact.id)),
    /** Whether the person has other contacts, which stopping everything would stop too. */
    hasOthers: (await contactsOfOwner(store, contact)).length > 0,
    watchesInAll: Number(rows[0]?.count ?? 0),
    watches: await Promise.all(
      rows.map(async ({ id, number, item_key, state, search }, index) => {
        const own = await searchWatchOf(store, Number(id));
        const onSale = own === null ? await store.packages.find(String(item_key)) : null;
        return {
          number: Number(number),
          /** `asked`: the watch still has to be confirmed. */
          state: state as 'asked' | 'active' | 'paused',
          /** Null: a package. */
          search: own === null ? null : await searchView(context, own),
          /** Null for a search, and if the holiday is not on sale at the moment. */
          holiday: onSale === null ? null : await holidayOf(onSale, search as string | null, index),
        };
      }),
    ),
  };
}

/** What the page shows of a watched search. */
async function searchView({ store, siteUrl, now }: LinkContext, own: SearchWatch) {
  const [best = null] = await foundOnSale(store, own.itemKey, 1, now);
  return {
    name: await searchName(store.session, own.itemKey),
    limit: own.limit >= ANY_PRICE ? null : own.limit,
    booked: own.booked,
    began: own.began,
    prices: own.prices,
    best: best && {
      name: describePackage(best),
      price: best.price,
      link: holidayLink(siteUrl, best, linkOfSearch(own.itemKey, best)),
    },
  };
}
