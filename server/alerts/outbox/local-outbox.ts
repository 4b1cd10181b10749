import { isPriceDrop } from '../../../domain/price-drop.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { InventoryWriter } from '../../inventory/tables/inventory-writer.ts';
import { processInboundMessage } from '../inbound/inbound-message.ts';
import type { InboundContext } from '../inbound/replies.ts';
import type { EmailWriting } from '../rendering/email-message.ts';
import type { AlertSession, AlertStore } from '../tables/alert-store.ts';
import { contactById, decryptContact } from '../tables/contacts.ts';
import { hurryMessages } from '../tables/messages.ts';
import { watchesIn } from '../tables/watches.ts';
import { type OutboxView, outboxView } from './outbox-view.ts';

export type LocalOutbox = ReturnType<typeof localOutbox>;

/** The content and actions of the outbox page. */
export function localOutbox(
  inbound: () => InboundContext<AlertStore>,
  writing: EmailWriting | null,
  openWriter: () => Promise<InventoryWriter>,
  sending: { drain(): Promise<void>; endCallsTo(contact: number): Promise<void> },
) {
  const { store } = inbound();

  /** Sends what waits for a person, ignoring quiet hours and the daily limit. */
  async function sendNow(contact: number): Promise<void> {
    await store.transact((tx) => hurryMessages(tx, contact, inbound().now));
    await sending.drain();
  }

  return {
    async readOutbox(): Promise<OutboxView> {
      return outboxView(store, writing);
    },
    /** Processes a text, or a button's payload, as if the person's phone had sent it. */
    async simulateReply(contact: number, text: string, payload: string | null = null): Promise<void> {
      if ((await contactById(store, contact)) === null) return;
      // A phone has received what is due before it replies.
      await sending.drain();
      const sender = { number: await decryptContact(store, contact), userId: null };
      const stopped = await store.transact(async (tx) => {
        const context = { ...inbound(), store: tx };
        return processInboundMessage(context, { sender, text, payload, at: null });
      });
      if (stopped !== null) await sending.endCallsTo(stopped);
      await sending.drain();
    },
    /** Lowers the price of a package that the person watches, and alerts them; false if that is not possible. */
    async simulateDrop(contact: number): Promise<boolean> {
      const isLowered = await simulateDrop(store, openWriter, contact, inbound().now);
      if (isLowered) await sendNow(contact);
      return isLowered;
    },
    sendNow,
  };
}

/** The factor by which the price is lowered. */
const LOWERED = 0.88;
const MS_A_MINUTE = 60_000;

/** Lowers the price of the first watched package whose price allows a drop, as a feed would. */
async function simulateDrop(
  store: AlertSession,
  openWriter: () => Promise<InventoryWriter>,
  contact: number,
  now: number,
): Promise<boolean> {
  for (const { itemKey } of await watchesIn(store, contact, 'active', now)) {
    const watched = await store.packages.find(itemKey);
    if (watched === null) continue;
    const fall = Math.ceil(Math.max(watched.price * (1 - LOWERED), 1_000));
    const price = watched.offer[OFFER.price] - fall;
    if (price < 1 || !isPriceDrop(watched.price, watched.price - fall)) continue;
    const lowered = watched.offer
      .with(OFFER.price, price)
      .with(OFFER.seenAt, Math.floor(now / MS_A_MINUTE)) as unknown as OfferRow;
    const writer = await openWriter();
    try {
      await writer.writeOffers([lowered]);
    } finally {
      await writer.close();
    }
    return true;
  }
  return false;
}
