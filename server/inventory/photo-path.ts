import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '../lib/constant-time-equal.ts';

/** In characters: 96 bits. */
const SIGNATURE_LENGTH = 16;

/** Paths of hotels' photos on this server. A signature proves that the photo's URL is from the catalogue. */
export interface PhotoPaths {
  pathOf(url: string): string;
  isSigned(url: string, signature: string): boolean;
}

/** `key` also signs page tokens: paths use a derived key. */
export function photoPaths(key: Uint8Array): PhotoPaths {
  const derived = createHmac('sha256', key).update('skylark photos').digest();
  const sign = (url: string) =>
    createHmac('sha256', derived).update(url).digest('base64url').slice(0, SIGNATURE_LENGTH);
  return {
    pathOf: (url) => `/photos?${new URLSearchParams({ of: url, by: sign(url) }).toString()}`,
    isSigned: (url, signature) => constantTimeEqual(signature, sign(url)),
  };
}
