/**
 * A pseudo-random number in [0, 1) that depends only on the arguments. Mixes them with MurmurHash3's 32-bit
 * finaliser (Austin Appleby, public domain).
 */
export function seededRandom(seed: number, ...keys: readonly number[]): number {
  let hash = seed | 0;
  for (const key of keys) hash = mix(hash ^ Math.imul(key | 0, 0x9e3779b1));
  return (mix(hash) >>> 0) / 0x1_0000_0000;
}

/** Picks one of `choices` by a random number from 0 to 1. */
export function choose<T>(choices: readonly [T, ...T[]], random: number): T {
  return choices[Math.floor(random * choices.length)] ?? choices[0];
}

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
