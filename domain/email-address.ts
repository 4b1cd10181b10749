/** `canonical` is the address with its domain in lower case. */
export type EmailResult = { kind: 'valid'; canonical: string } | { kind: 'invalid' };

/** Shown to the visitor. */
export const INVALID_EMAIL_MESSAGE = 'Please enter a valid email address';

/** The characters that RFC 5322 allows without quotation marks. */
const LOCAL = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;
const TOP_LEVEL = /\p{L}/u;

/**
 * Parses a typed email address. Ignores surrounding space and invisible marks. Rejects quotation marks,
 * comments and non-Latin scripts before the @, because few servers accept them.
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

/** The inbox of an address: in lower case, because common servers ignore case, and without a `+label`. */
export function inboxOf(canonical: string): string {
  const [local = '', domain = ''] = canonical.toLowerCase().split('@');
  return `${local.replace(/(?<=.)\+.*$/, '')}@${domain}`;
}
