import { isPriceDrop } from '../../../domain/price-drop.ts';
import type { InventoryWriter, OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { processInboundMessage } from '../inbound/inbound-message.ts';
import type { InboundContext } from '../inbound/replies.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { contactById, decryptContact } from '../tables/contacts.ts';
import { hurryMessage, isSent } from '../tables/messages.ts';
import { recordOwnAnswer } from '../tables/own-answers.ts';
import { type OutboxView, outboxView } from './outbox-view.ts';

export type LocalOutbox = ReturnType<typeof localOutbox>;

/** The content and actions of the outbox page. */
export function localOutbox(
  inbound: () => InboundContext,
  writing: { brandName: string; links: LinkMaker } | null,
  openWriter: () => Promise<InventoryWriter>,
  sending: { drain(): Promise<void>; endCallsTo(contact: number): Promise<void> },
) {
  const { store } = inbound();
  return {
    async readOutbox(): Promise<OutboxView> {
      return outboxView(store, writing);
    },
    /** Processes a text, or a button's payload, as if the person's phone had sent it. */
    async simulateReply(contact: number, text: string, payload: string | null = null): Promise<void> {
      if (contactById(store, contact) === null) return;
      const sender = { number: decryptContact(store, contact), userId: null };
      const { stopped } = store.transact(() => {
        const context = inbound();
        recordOwnAnswer(store, contact, text, context.now);
        return processInboundMessage(context, { sender, text, payload, at: null });
      });
      if (stopped !== null) await sending.endCallsTo(stopped);
      await sending.drain();
    },
    /** Lowers the price of a watched sample package; returns false if that is not possible. */
    async simulateDrop(watch: number): Promise<boolean> {
      const isLowered = await simulateDrop(store, openWriter, watch, inbound().now);
      await sending.drain();
      return isLowered;
    },
    /** Makes a message due and sends all due messages; returns whether this one was sent. */
    async sendNow(message: number): Promise<boolean> {
      store.transact(() => hurryMessage(store, message, inbound().now));
      await sending.drain();
      return isSent(store, message);
    },
  };
}

/** The factor by which the price is lowered. */
const LOWERED = 0.88;
const MS_A_MINUTE = 60_000;

/**
 * Lowers the price of a watched sample package, as a feed would. Its alert ignores quiet hours and the daily
 * limit. Returns false if the package is not watched, not on sale, or too cheap for a drop.
 */
async function simulateDrop(
  store: AlertStore,
  openWriter: () => Promise<InventoryWriter>,
  watch: number,
  now: number,
): Promise<boolean> {
  const itemKey = store.sql.get`select item_key from alert_watch where id = ${watch} and state = 'active'`
    ?.item_key;
  const watched = typeof itemKey === 'string' ? store.packages.find(itemKey) : null;
  if (watched === null) return false;
  const fall = Math.ceil(Math.max(watched.price * (1 - LOWERED), 1_000));
  const price = watched.offer[OFFER.price] - fall;
  if (price < 1 || !isPriceDrop(watched.price, watched.price - fall)) return false;
  const lowered: OfferRow = watched.offer
    .with(OFFER.price, price)
    .with(OFFER.seenAt, Math.floor(now / MS_A_MINUTE)) as unknown as OfferRow;
  const writer = await openWriter();
  try {
    await writer.writeOffers([lowered]);
  } finally {
    await writer.close();
  }
  store.sql.run`update alert_message set hurried = 1, due_at = ${now}
    where watch = ${watch} and kind = 'drop' and state = 'queued'`;
  return true;
}
