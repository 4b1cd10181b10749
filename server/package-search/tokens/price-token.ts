import { createHmac, hash } from 'node:crypto';
import type { Pence } from '../../../domain/money.ts';
import { constantTimeEqual } from '../../lib/constant-time-equal.ts';

/** Minutes. Tokens of one period are equal, so that equal searches have equal responses. */
const PERIOD_MINUTES = 10;

/**
 * How long a token is valid, in minutes: a tab may stay open for a day. A token may be as far in the future, in
 * case the server's clock was set back.
 */
const LIFETIME_MINUTES = 24 * 60;

/** In characters: 72 bits. Guessing would take more requests than any server can answer. */
const SIGNATURE_LENGTH = 12;

export interface ShownPrice {
  itemKey: string;
  price: Pence;
}

/**
 * Signs a price in a search response (`AdditionalData.PriceToken`), so that only shown prices count in
 * click-throughs. Times are in minutes since the epoch.
 */
export interface PriceTokens {
  issue(itemKey: string, price: Pence, now: number): string;
  /** False if the token is for another package or price, or more than a day away. */
  isValid(shown: ShownPrice, token: string, now: number): boolean;
}

/** `key` also signs page tokens: price tokens use a derived key. */
export function priceTokens(key: Uint8Array): PriceTokens {
  const derived = createHmac('sha256', key).update('skylark price tokens').digest('hex');
  // One hash call is many times faster than an HMAC, for a hundred tokens a response. A token has too little
  // of the hash for a length extension attack.
  const sign = (itemKey: string, price: Pence, issuedAt: string) =>
    hash('sha256', `${derived} ${issuedAt} ${price} ${itemKey}`, 'base64url').slice(0, SIGNATURE_LENGTH);

  return {
    issue(itemKey, price, now) {
      const issuedAt = (now - (now % PERIOD_MINUTES)).toString(36);
      return `${issuedAt}.${sign(itemKey, price, issuedAt)}`;
    },
    isValid({ itemKey, price }, token, now) {
      const [issuedAt = '', signature = '', ...rest] = token.split('.');
      const isSigned = rest.length === 0 && constantTimeEqual(signature, sign(itemKey, price, issuedAt));
      return isSigned && Math.abs(now - Number.parseInt(issuedAt, 36)) <= LIFETIME_MINUTES;
    },
  };
}
