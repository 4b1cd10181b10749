/** Who wrote to us or was written to, as a provider names them. Some users hide their number. */
export interface Sender {
  /** Canonical (ruling 11), or null. */
  number: string | null;
  userId: string | null;
}

/**
 * Somebody by all the names that a provider gives them, the surest first: digits, with or without a plus, are a
 * number, and any other text is the provider's own user id. Providers put one where the other is expected.
 */
export function senderOf(...names: readonly (string | null | undefined)[]): Sender {
  const given = names.filter((name): name is string => typeof name === 'string' && name !== '');
  const number = given.find(isNumber)?.replace('+', '') ?? null;
  return { number, userId: given.find((name) => !isNumber(name)) ?? null };
}

function isNumber(name: string): boolean {
  return /^\+?\d{6,15}$/.test(name);
}
