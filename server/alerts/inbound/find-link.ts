import { type LinkPurpose, readToken, type SignedLink } from '../keys/signed-link.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { type Contact, contactById } from '../tables/contacts.ts';

export interface LinkContext {
  store: AlertStore;
  now: number;
}

/** A valid link and the person whom it belongs to. */
export interface FoundLink {
  link: SignedLink;
  contact: Contact;
}

/** `unusable`: the link was altered, expired or made for another purpose, or its person's records are deleted. */
export type LinkResult<T> = { kind: 'done'; value: T } | { kind: 'unusable' };

/** The people whose running calls must end after an action. */
export interface Stopped {
  stopped: number[];
}

export function withLink<T>(
  { store, now }: LinkContext,
  token: string,
  purpose: LinkPurpose,
  work: (found: FoundLink) => T,
): LinkResult<T> {
  const reading = readToken(store.keys, token, now, (id) => contactById(store, id)?.createdAt ?? null);
  if (reading.kind !== 'valid' || reading.link.purpose !== purpose) return { kind: 'unusable' };
  const contact = contactById(store, reading.link.contact);
  return contact === null
    ? { kind: 'unusable' }
    : { kind: 'done', value: work({ link: reading.link, contact }) };
}
