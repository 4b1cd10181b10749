/** `canonical` has its domain in lower case. */
export type EmailResult = { kind: 'valid'; canonical: string } | { kind: 'invalid' };

/** Shown to the visitor. */
export const INVALID_EMAIL_MESSAGE = 'Please enter a valid email address';

/** The characters that RFC 5322 allows without quotation marks. */
const LOCAL = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;
const TOP_LEVEL = /\p{L}/u;

/**
 * Parses a typed email address: surrounding space and the invisible marks of pasted text are stripped. Addresses with
 * quotation marks, comments or other scripts before the @ are refused, because few servers take them.
 */
export function parseEmailAddress(text: string): EmailResult {
  const typed = text.replace(/\p{Cf}/gu, '').trim();
  const at = typed.lastIndexOf('@');
  const local = typed.slice(0, Math.max(at, 0));
  const domain = typed
    .slice(at + 1)
    .normalize('NFKC')
    .toLowerCase();
  const labels = domain.split('.');
  const isDomain =
    labels.length >= 2 && labels.every((label) => LABEL.test(label)) && TOP_LEVEL.test(labels.at(-1) ?? '');
  if (at < 1 || local.length > 64 || domain.length > 253 || !LOCAL.test(local) || !isDomain)
    return { kind: 'invalid' };
  return { kind: 'valid', canonical: `${local}@${domain}` };
}

/**
 * What identifies an address: its letters in lower case, because no common server tells them apart, and without a
 * `+label`, which leads to the same inbox.
 */
export function inboxOf(canonical: string): string {
  const [local = '', domain = ''] = canonical.toLowerCase().split('@');
  return `${local.replace(/(?<=.)\+.*$/, '')}@${domain}`;
}
