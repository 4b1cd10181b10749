import { hash } from 'node:crypto';

/** 64 bits that identify a line or element of a feed. */
export interface Fingerprint {
  high: number;
  low: number;
  /** The line's place among all lines, if some of them are known. */
  nth?: number;
}

/** Returns a line's fingerprint, or null if the line was in the last feed and needs no reading. */
export type LineSieve = (line: Uint8Array, header?: Fingerprint) => Fingerprint | null;

/** `header`: the header of the line's file, because it gives the cells their meaning. */
export function fingerprintOf(line: Uint8Array, header?: Fingerprint): Fingerprint {
  const digest = hash('sha256', line, 'binary');
  const { high = 0, low = 0 } = header ?? {};
  return { high: high ^ wordOf(digest, 0), low: low ^ wordOf(digest, 4) };
}

function wordOf(digest: string, at: number): number {
  const byte = (index: number) => digest.charCodeAt(at + index);
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
}
