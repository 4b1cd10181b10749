import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { type Attempt, isOfChanges } from './attempts/attempt-table.ts';
import { parseFeedLink } from './formats/feed-link.ts';
import { FeedFault } from './formats/raw-row.ts';
import type { FeedDictionaries } from './map/feed-dictionaries.ts';
import type { HolidayProvider } from './map/holiday-providers.ts';
import type { FeedStore } from './write/open-feed-store.ts';
import type { Staging } from './write/staging.ts';

/** For packages without a sequence number. Numbers begin at 0, so no changes can directly follow this one. */
const NO_SEQUENCE = -2;

/** Some changes are missing, so only a full feed shows what the provider has. */
export class SequenceGap extends FeedFault {
  /** The first missing number. */
  readonly missing: number;
  constructor(message: string, missing: number) {
    super(`${message}, so a full feed is needed`);
    this.missing = missing;
  }
}

/** The changes were applied before. */
export class ChangesKnown extends FeedFault {}

/**
 * The sequence numbers of a feed's rows. Changes that the store has already are taken again only to release their
 * quarantined prices. If they are imported again because of changed settings, packages with a link that may not be
 * used any more go off sale, and nothing else changes.
 */
export function feedSequence(
  staging: Staging,
  {
    isChanges,
    last,
    releasesPrices,
    isReapplied,
    provider: { linkHosts, linkTemplate },
  }: {
    isChanges: boolean;
    last: Attempt | null;
    releasesPrices: boolean;
    isReapplied: boolean;
    provider: Pick<HolidayProvider, 'linkHosts' | 'linkTemplate'>;
  },
) {
  const stored = last?.detail.sequence ?? NO_SEQUENCE;
  let highest: number | null = null;
  return {
    /** Notes a row's number. Returns false if the store has the row's change already. */
    take(sequence: number | null): boolean {
      if (sequence === null) return true;
      highest = Math.max(sequence, highest ?? sequence);
      if (!isChanges) return true;
      if (sequence > stored) staging.noteNumber(sequence);
      return sequence > stored || releasesPrices;
    },
    highest: () => highest,
    /** Refuses changes that are in the store already, or that do not follow those in the store. */
    async check(): Promise<void> {
      if (!isChanges) return;
      if (highest === null) throw new FeedFault('The changes have no Sequence, so nothing was imported.');
      const isKnown = highest <= stored;
      if (isKnown && !releasesPrices && !isReapplied)
        throw new ChangesKnown(`Changes ${highest} are already in the store`);
      if (!isKnown) await refuseGap(staging, stored);
    },
    /** Adds the provider's other packages in hotels of which a change states the stars or another resort. */
    async addOthers(
      { database }: FeedStore,
      provider: number | null,
      { restarred, moved }: FeedDictionaries,
    ): Promise<void> {
      const places = moved();
      const hotels = [...new Set([...restarred(), ...places.keys()])];
      if (!isChanges || hotels.length === 0) return;
      const others = database.prepare(
        `select ${OFFER_COLUMNS.join(', ')} from offer where provider = ? and ${database.anyOf('hotel')}`,
      );
      for await (const values of others.iterate(provider ?? 0, hotels)) {
        const row = values as unknown as OfferRow;
        staging.add(row, 0, { sequence: NO_SEQUENCE, isDeleted: false });
        if (places.has(row[OFFER.hotel])) staging.addGone(row.slice(0, KEY_COLUMNS.length) as number[]);
      }
      if (places.size > 0) staging.move(places);
    },
    /** Takes the provider's packages off sale whose link may not be used any more. */
    async removeRefused({ database }: FeedStore, provider: number | null): Promise<void> {
      if (!isChanges || !isReapplied) return;
      const stored = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where provider = ?`);
      for await (const row of stored.iterate(provider ?? 0)) {
        const link = row[OFFER.link];
        const hasLink =
          link === null ? linkTemplate !== null : parseFeedLink(String(link), linkHosts).kind === 'link';
        if (!hasLink) staging.add(row as unknown as OfferRow, 0, { sequence: NO_SEQUENCE, isDeleted: true });
      }
    },
    /** Why a full feed should be reviewed: it seems to be older than the changes in the store. */
    reasons(): string[] {
      if (isChanges || highest === null || highest >= stored || last === null || !isOfChanges(last))
        return [];
      return [`Sequence ${highest} is below ${stored}, that of the last changes in the store`];
    },
  };
}

async function refuseGap(staging: Staging, stored: number): Promise<void> {
  if (stored === NO_SEQUENCE)
    throw new SequenceGap('The store has no full feed with a Sequence that these changes could follow', 0);
  const gap = staging.gapAfter(stored);
  if (gap === null) return;
  const between = `Changes ${gap.next} follow ${gap.last}: those in between are missing`;
  throw new SequenceGap(between, gap.last + 1);
}
