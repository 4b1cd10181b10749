/** The most edits tolerated in a whole text. */
export const MAX_EDITS = 2;

/** The most edits tolerated in a typed word: one from 4 letters on, two from 8. */
export function maxEdits(typed: string): number {
  if (typed.length >= 8) return 2;
  return typed.length >= 4 ? 1 : 0;
}

/**
 * Returns a function that measures the Damerau-Levenshtein distance from `typed` to a word or to its closest
 * prefix. Returns `max + 1` for any distance above `max`, which allows it to compute only cells near the
 * diagonal.
 */
export function editDistance(typed: string, max: number): (word: string) => number {
  const overMax = max + 1;
  const widest = typed.length + max + 1;
  let [beforeLast, last, current] = [new Uint8Array(widest), new Uint8Array(widest), new Uint8Array(widest)];

  return (word) => {
    const end = Math.min(word.length, typed.length + max);
    if (end < typed.length - max) return overMax;
    for (let column = 0; column <= end; column += 1) last[column] = Math.min(column, overMax);
    let lastBest = 0;
    for (let row = 1; row <= typed.length; row += 1) {
      current.fill(overMax);
      current[0] = Math.min(row, overMax);
      let rowBest = current[0];
      for (let column = Math.max(1, row - max); column <= Math.min(end, row + max); column += 1) {
        const same = typed[row - 1] === word[column - 1];
        let edits = (last[column - 1] ?? overMax) + (same ? 0 : 1);
        edits = Math.min(edits, (last[column] ?? overMax) + 1, (current[column - 1] ?? overMax) + 1);
        if (row > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1]) {
          edits = Math.min(edits, (beforeLast[column - 2] ?? overMax) + 1);
        }
        current[column] = Math.min(edits, overMax);
        rowBest = Math.min(rowBest, edits);
      }
      // A swap uses the row before the last, so the search ends only after two rows above the limit.
      if (rowBest > max && lastBest >= max) return overMax;
      lastBest = rowBest;
      [beforeLast, last, current] = [last, current, beforeLast];
    }
    let best = overMax;
    for (let column = Math.max(0, typed.length - max); column <= end; column += 1) {
      best = Math.min(best, last[column] ?? overMax);
    }
    return best;
  };
}

/**
 * Returns a function that compares words with a typed word: 0 if the word contains it, above `MAX_EDITS` if
 * it differs too much.
 */
export function wordEditDistance(typed: string): (word: string) => number {
  const max = maxEdits(typed);
  const measure = editDistance(typed, max);
  return (word) => {
    if (word.includes(typed)) return 0;
    const edits = max === 0 ? 1 : measure(word);
    return edits > max ? MAX_EDITS + 1 : edits;
  };
}

/** A fast pre-check: whether a word lacks more than `max` letters of `typed`. */
export function exceedsMaxEdits(typed: string, wordMask: number, max: number): boolean {
  let missing = 0;
  for (let at = 0; at < typed.length; at += 1) {
    if ((wordMask & (1 << (typed.charCodeAt(at) & 31))) === 0) missing += 1;
    if (missing > max) return true;
  }
  return false;
}

/** Whether one letter added, left out, replaced or swapped with the next turns `typed` into the word. */
export function isOneEdit(typed: string, word: string): boolean {
  let at = 0;
  while (at < word.length && typed[at] === word[at]) at += 1;
  const [left, rest] = [typed.slice(at), word.slice(at)];
  return (
    left.slice(1) === rest.slice(1) ||
    left.slice(1) === rest ||
    left === rest.slice(1) ||
    (left[0] === rest[1] && left[1] === rest[0] && left.slice(2) === rest.slice(2))
  );
}
