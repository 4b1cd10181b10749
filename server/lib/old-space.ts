import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

const MB = 1_024 * 1_024;

/** The reserve for young objects is so many times the largest semi-space. */
const SEMI_SPACES = 3;

/** V8 derives a semi-space that no option sets from the old space: a 64th of it. */
const DEFAULT_SHARE = SEMI_SPACES / (64 + SEMI_SPACES);

/**
 * Bytes that old objects may take before the process aborts. The limit that Node reports also has the reserve for young
 * objects: with --max-old-space-size=160 it is 352 MB, and the process ends at half of it. Node does not report
 * the reserve, so it is worked out from the options.
 */
export function oldSpaceLimit(
  options: readonly string[] = nodeOptions(),
  heapLimit: number = getHeapStatistics().heap_size_limit,
): number {
  const semiSpace = megabytes('max-semi-space-size', options);
  // V8 rounds it up to a power of two.
  if (semiSpace > 0) return heapLimit - SEMI_SPACES * 2 ** Math.ceil(Math.log2(semiSpace)) * MB;
  const oldSpace = megabytes('max-old-space-size', options);
  return oldSpace > 0 ? oldSpace * MB : heapLimit * (1 - DEFAULT_SHARE);
}

/** Megabytes that `--max-old-space-size` sets; null: it is not given. */
export function givenOldSpace(options: readonly string[] = nodeOptions()): number | null {
  return megabytes('max-old-space-size', options) || null;
}

/** Bytes that old objects take, garbage that is not collected yet included. Takes 20 µs. */
export function usedOldSpace(): number {
  let used = 0;
  for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
    if (space_name !== 'new_space' && space_name !== 'new_large_object_space') used += space_used_size;
  }
  return used;
}

/** In the order in which they are read: the last one counts. */
function nodeOptions(): string[] {
  return [...(process.env.NODE_OPTIONS ?? '').split(/\s+/), ...process.execArgv];
}

/** The number of an option, in megabytes; 0: it is not given. Node reads `_` as `-`, and the value may be the next word. */
function megabytes(name: string, options: readonly string[]): number {
  const given = new RegExp(`(?:^| )--${name.replaceAll('-', '[-_]')}[= ](\\d+)(?= |$)`, 'g');
  return Number([...options.join(' ').matchAll(given)].at(-1)?.[1] ?? 0);
}
