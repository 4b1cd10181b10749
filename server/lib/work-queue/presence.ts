/** Milliseconds for which others count as there. */
const PRESENT = 1_000;

/** Who has asked within the last second. */
export interface Presence {
  note(asker: string): void;
  /** Whether nobody else has. */
  isAlone(asker: string): boolean;
}

/** `now` is in milliseconds of a monotonic clock. */
export function presence(now: () => number): Presence {
  /** Those that were there last, the latest first. */
  let latest = { asker: '', at: Number.NEGATIVE_INFINITY };
  let latestOther = latest;
  return {
    note(asker) {
      if (latest.asker !== asker) latestOther = latest;
      latest = { asker, at: now() };
    },
    isAlone(asker) {
      const other = latest.asker === asker ? latestOther : latest;
      return now() - other.at > PRESENT;
    },
  };
}
