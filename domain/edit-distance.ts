/** As many slips as are forgiven in all of a text. */
export const MAX_EDITS = 2;

/** How many slips are forgiven in a word as typed: one from 4 letters, two from 8. */
export function maxEdits(typed: string): number {
  if (typed.length >= 8) return 2;
  return typed.length >= 4 ? 1 : 0;
}

/**
 * Measures words against one typed word: the fewest slips (a letter wrong, missing or too many, or two
 * neighbours swapped) that turn `typed` into the word or into its beginning, since a word is searched for
 * while half typed; `most + 1` when it takes more than `most`. Damerau and Levenshtein's distance, worked
 * out only within `most` of the diagonal, in rows that are kept from word to word.
 */
export function editDistance(typed: string, most: number): (word: string) => number {
  const tooMany = most + 1;
  const widest = typed.length + most + 1;
  let [beforeLast, last, current] = [new Uint8Array(widest), new Uint8Array(widest), new Uint8Array(widest)];

  return (word) => {
    const end = Math.min(word.length, typed.length + most);
    if (end < typed.length - most) return tooMany;
    for (let column = 0; column <= end; column += 1) last[column] = Math.min(column, tooMany);
    let lastBest = 0;
    for (let row = 1; row <= typed.length; row += 1) {
      current.fill(tooMany);
      current[0] = Math.min(row, tooMany);
      let best = current[0];
      for (let column = Math.max(1, row - most); column <= Math.min(end, row + most); column += 1) {
        const same = typed[row - 1] === word[column - 1];
        let slips = (last[column - 1] ?? tooMany) + (same ? 0 : 1);
        slips = Math.min(slips, (last[column] ?? tooMany) + 1, (current[column - 1] ?? tooMany) + 1);
        if (row > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1]) {
          slips = Math.min(slips, (beforeLast[column - 2] ?? tooMany) + 1);
        }
        current[column] = Math.min(slips, tooMany);
        best = Math.min(best, slips);
      }
      // A swap reaches back two rows, so one hopeless row is not yet the end.
      if (best > most && lastBest >= most) return tooMany;
      lastBest = best;
      [beforeLast, last, current] = [last, current, beforeLast];
    }
    let fewest = tooMany;
    for (let column = Math.max(0, typed.length - most); column <= end; column += 1) {
      fewest = Math.min(fewest, last[column] ?? tooMany);
    }
    return fewest;
  };
}

/**
 * Measures words against one typed word as a search does: no slip where the word holds it as it was typed, more than
 * `MOST_SLIPS` where it takes more than are forgiven.
 */
export function wordEditDistance(typed: string): (word: string) => number {
  const most = maxEdits(typed);
  const measure = editDistance(typed, most);
  return (word) => {
    if (word.includes(typed)) return 0;
    const slips = most === 0 ? 1 : measure(word);
    return slips > most ? MAX_EDITS + 1 : slips;
  };
}

/** Whether so many letters of `typed` are nowhere in a word that more than `most` slips are certain. */
export function exceedsMaxEdits(typed: string, wordLetters: number, most: number): boolean {
  let lacking = 0;
  for (let at = 0; at < typed.length; at += 1) {
    if ((wordLetters & (1 << (typed.charCodeAt(at) & 31))) === 0) lacking += 1;
    if (lacking > most) return true;
  }
  return false;
}
