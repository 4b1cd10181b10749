import type { LinkKeys } from '../keys/alert-keys.ts';
import { type LinkPurpose, linkAddress } from '../keys/signed-link.ts';

export interface MessageLinks {
  confirm: string;
  /** Ends the watch that the message is about, or every watch on the channel if it is about no single watch. */
  stopThis: string;
  stopAll: string;
  manage: string;
}

export interface LinkedMessage {
  contact: number;
  /** When the person was added. Instants are milliseconds since 1970. */
  contactSince: number;
  watch: number | null;
  createdAt: number;
}

/** Makes the links in a message, the same ones each time. */
export type LinkMaker = (message: LinkedMessage) => MessageLinks;

export function linkMaker(keys: LinkKeys, siteUrl: string): LinkMaker {
  return ({ contact, contactSince, watch, createdAt }) => {
    const times = { from: createdAt, since: contactSince };
    const address = (purpose: LinkPurpose, about: number | null) =>
      linkAddress(keys, siteUrl, { purpose, contact, watch: about }, times);
    return {
      confirm: address('confirm', null),
      stopThis: address('stop', watch),
      stopAll: address('stop', null),
      manage: address('manage', null),
    };
  };
}
