/** `canonical` is 44 and the number, in digits only: 447700900123. */
export type PhoneResult = { kind: 'valid'; canonical: string } | { kind: 'invalid' };

/** Shown to the visitor (Section 8). */
export const INVALID_PHONE_MESSAGE = 'Please enter a valid UK phone number';

/**
 * Parses a typed phone number. Removes spaces, dashes, brackets, + and invisible marks. Accepts 10 or 11
 * digits that start with 1-9, after an optional 0 or 44 (Section 5). The canonical form begins with 44
 *.
 */
export function parseUkPhone(text: string): PhoneResult {
  const digits = text.replace(/[\s\p{Cf}\-\u2010-\u2015()[\]+]/gu, '');
  if (!/^(?:0|44)?[1-9]\d{9,10}$/.test(digits)) return { kind: 'invalid' };
  if (digits.startsWith('0')) return { kind: 'valid', canonical: `44${digits.slice(1)}` };
  if (/^44\d{10,11}$/.test(digits)) return { kind: 'valid', canonical: digits };
  return { kind: 'valid', canonical: `44${digits}` };
}

/** '+44 7700 900123' from a canonical number. */
export function formatUkPhone(canonical: string): string {
  return canonical.replace(/^44(\d{4})(\d*)$/, '+44 $1 $2');
}

/**
 * Whether a canonical number may be a UK mobile: 447 and nine digits, but not personal numbers (070) or
 * pagers (076). The Isle of Man's mobiles begin with 07624.
 */
export function isUkMobile(canonical: string): boolean {
  return /^447(?:[1-57-9]\d{8}|624\d{6})$/.test(canonical);
}
