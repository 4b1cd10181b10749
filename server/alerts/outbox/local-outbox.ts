import type { InventoryWriter } from '../../inventory/inventory.ts';
import { processInboundMessage } from '../inbound/inbound-message.ts';
import type { InboundContext } from '../inbound/replies.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import { hurryMessage, isSent } from '../tables/messages.ts';
import { recordOwnAnswer } from '../tables/own-answers.ts';
import { decryptContact, personById } from '../tables/people.ts';
import { type OutboxView, outboxView } from './outbox-view.ts';
import { simulateDrop } from './simulate-drop.ts';

export type LocalOutbox = ReturnType<typeof localOutbox>;

/** What the outbox page shows and does. */
export function localOutbox(
  inbound: () => InboundContext,
  writing: { brandName: string; links: LinkMaker } | null,
  openWriter: () => Promise<InventoryWriter>,
  sending: { drain(): Promise<void>; endCallsTo(person: number): Promise<void> },
) {
  const { store } = inbound();
  return {
    async readOutbox(): Promise<OutboxView> {
      return outboxView(store, writing);
    },
    /** Processes a text, or a button's payload, as if it came from the person's phone. */
    async simulateReply(person: number, text: string, payload: string | null = null): Promise<void> {
      if (personById(store, person) === null) return;
      const sender = { number: decryptContact(store, person), userId: null };
      const { stopped } = store.transact(() => {
        const context = inbound();
        recordOwnAnswer(store, person, text, context.now);
        return processInboundMessage(context, { sender, text, payload, at: null });
      });
      if (stopped !== null) await sending.endCallsTo(stopped);
      await sending.drain();
    },
    /** Lowers the price of a watched sample package; false if that is not possible. */
    async simulateDrop(watch: number): Promise<boolean> {
      const isLowered = await simulateDrop(store, openWriter, watch, inbound().now);
      await sending.drain();
      return isLowered;
    },
    /** Sends a message before its time; false if it is no longer to be sent. */
    async sendNow(message: number): Promise<boolean> {
      store.transact(() => hurryMessage(store, message, inbound().now));
      await sending.drain();
      return isSent(store, message);
    },
  };
}
