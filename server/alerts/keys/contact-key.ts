import { domainToASCII } from 'node:url';
import { parseEmailAddress } from '../../../domain/email-address.ts';
import { parseUkPhone } from '../../../domain/uk-phone.ts';
import type { KeyRing } from './key-ring.ts';

/** The keyed hash of an email address, ignoring case. */
export function emailKey(keys: KeyRing, address: string): string {
  return keys.keyFor('email', address.toLowerCase());
}

/** An email address with its domain in ASCII; null if the text is not an address. */
export function asciiAddress(text: string): string | null {
  const email = parseEmailAddress(text);
  if (email.kind === 'invalid') return null;
  const [local = '', domain = ''] = email.canonical.split('@');
  const ascii = domainToASCII(domain);
  return ascii === '' ? null : `${local}@${ascii}`;
}

/** The keyed hash of `ntfy:` and a topic, or of a phone number or an email address in any spelling; else null. */
export function contactKeyOf(keys: KeyRing, text: string): string | null {
  if (text.startsWith('ntfy:')) return keys.keyFor('ntfy', text.slice('ntfy:'.length));
  if (text.includes('@')) {
    const address = asciiAddress(text);
    return address === null ? null : emailKey(keys, address);
  }
  const phone = parseUkPhone(text);
  return phone.kind === 'invalid' ? null : keys.keyFor('number', phone.canonical);
}
