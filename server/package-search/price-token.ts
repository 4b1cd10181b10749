import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Pence } from '../../domain/money.ts';

/** Minutes. Tokens of one period are equal, so that equal searches have equal answers. */
const PERIOD = 10;

/**
 * How long a token is valid, in minutes: a tab may stay open for a day. As long before its own time: only the server can
 * have signed it, so its clock has been set back since.
 */
const LIFETIME = 24 * 60;

/** 72 bits: a forgery would take more requests than any server answers. */
const SIGNATURE_BYTES = 9;

/** A package and a price that an answer showed. */
export interface ShownPrice {
  itemKey: string;
  price: Pence;
}

/**
 * Signs the price of a package in a search answer (`AdditionalData.PriceToken`), so that a click-through counts only with
 * a price that was shown. Times are in minutes since the epoch.
 */
export interface PriceTokens {
  issue(itemKey: string, price: Pence, now: number): string;
  /** False if the token is not for this package and price, or is of another time by more than a day. */
  isValid(shown: ShownPrice, token: string, now: number): boolean;
}

/** `key` also signs page tokens: price tokens use a key that is derived from it. */
export function priceTokens(key: Uint8Array): PriceTokens {
  const derived = createHmac('sha256', key).update('skylark price tokens').digest('hex');
  // A hash in one call is many times faster than an HMAC, and an answer has a hundred tokens. Extending it would take
  // the whole hash, of which a token has a part.
  const sign = (itemKey: string, price: Pence, issuedAt: string) =>
    hash('sha256', `${derived} ${issuedAt} ${price} ${itemKey}`, 'base64url').slice(
      0,
      (SIGNATURE_BYTES * 4) / 3,
    );

  return {
    issue(itemKey, price, now) {
      const issuedAt = (now - (now % PERIOD)).toString(36);
      return `${issuedAt}.${sign(itemKey, price, issuedAt)}`;
    },
    isValid({ itemKey, price }, token, now) {
      const [issuedAt = '', signature = '', ...rest] = token.split('.');
      const expected = Buffer.from(sign(itemKey, price, issuedAt));
      const given = Buffer.from(signature);
      if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
        return false;
      return Math.abs(now - Number.parseInt(issuedAt, 36)) <= LIFETIME;
    },
  };
}
