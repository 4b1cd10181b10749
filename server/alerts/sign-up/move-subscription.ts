import type { SubscriptionMove } from '../../../domain/alert-signup.ts';
import { moveKey } from '../keys/hashed-columns.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { contactByKey, isToBeErased } from '../tables/contacts.ts';
import { readContact } from './read-contact.ts';

export type MoveResult = { kind: 'moved' | 'unknown' | 'invalid subscription' };

/** Moves a browser's alerts to its new push subscription. Only its owner knows the old endpoint. */
export async function moveSubscription(
  store: AlertStore,
  { from, user }: SubscriptionMove,
  pushServices: readonly string[],
): Promise<MoveResult> {
  return store.transact(async (tx) => {
    const reading = readContact(store.keys, user, pushServices);
    if (reading.kind !== 'contact') return { kind: 'invalid subscription' };
    const { key, address } = reading.contact;
    const old = await contactByKey(tx, store.keys.keyFor('push', from));
    if (old === null || (await contactByKey(tx, key)) !== null) return { kind: 'unknown' };
    // Its alerts have ended. With this result the browser does not remember the move, so the site says so.
    if (await isToBeErased(tx, old.id)) return { kind: 'unknown' };
    await moveKey(tx.session, old.contactKey, key);
    await tx.sql
      .run`update alert_contact set contact_sealed = ${store.keys.seal(address)} where id = ${old.id}`;
    return { kind: 'moved' };
  });
}
