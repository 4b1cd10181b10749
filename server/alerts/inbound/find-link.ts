import { type LinkPurpose, readToken, type SignedLink } from '../keys/signed-link.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { type Person, personById } from '../tables/people.ts';

export interface LinkContext {
  store: AlertStore;
  now: number;
}

/** A link that works, and the person that it belongs to. */
export interface FoundLink {
  link: SignedLink;
  person: Person;
}

/** Null: the token was changed, has expired, is for another purpose, or its person's records are deleted. */
export function findLink({ store, now }: LinkContext, token: string, purpose: LinkPurpose): FoundLink | null {
  const sinceOf = (id: number) => personById(store, id)?.createdAt ?? null;
  const reading = readToken(store.keys, token, now, sinceOf);
  if (reading.kind !== 'valid' || reading.link.purpose !== purpose) return null;
  const person = personById(store, reading.link.person);
  return person === null ? null : { link: reading.link, person };
}
