/** The sender or receiver of a message. Some users hide their number. */
export interface Sender {
  /** Canonical; null if unknown. */
  number: string | null;
  userId: string | null;
}

/** The sender of a stop or start that is not a message. */
export const NO_SENDER: Sender = { number: null, userId: null };

/** Makes a sender of an event's numbers and user IDs, most reliable first. Text that is no number is a user ID. */
export function senderOf(...names: readonly (string | null | undefined)[]): Sender {
  const given = names.filter((name): name is string => typeof name === 'string' && name !== '');
  const number = given.find(isNumber)?.replace('+', '') ?? null;
  return { number, userId: given.find((name) => !isNumber(name)) ?? null };
}

function isNumber(name: string): boolean {
  return /^\+?\d{6,15}$/.test(name);
}
