import { ECDH } from 'node:crypto';
import type { SearchSignup } from '../../../domain/alert-signup.ts';
import { inboxOf } from '../../../domain/email-address.ts';
import { isUkMobile, parseUkPhone } from '../../../domain/uk-phone.ts';
import { asciiAddress, emailKey } from '../keys/contact-key.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { ContactDetails } from '../tables/contacts.ts';

export interface SignUpContact extends ContactDetails {
  /** The keyed hash by which sign-ups are limited: the same for all spellings of an email address. */
  limitKey: string;
}

export type ContactReading =
  | { kind: 'contact'; contact: SignUpContact }
  | { kind: 'invalid phone' }
  | { kind: 'invalid email' }
  | { kind: 'invalid subscription' };

export function readContact(
  keys: KeyRing,
  user: SearchSignup['user'],
  pushServices: readonly string[],
): ContactReading {
  switch (user.platform) {
    case 'whatsapp': {
      const phone = parseUkPhone(user.channel_id);
      if (phone.kind === 'invalid' || !isUkMobile(phone.canonical)) return { kind: 'invalid phone' };
      const key = keys.keyFor('number', phone.canonical);
      return found({ channel: 'whatsapp', address: phone.canonical, key, limitKey: key });
    }
    case 'email': {
      const address = asciiAddress(user.channel_id);
      if (address === null) return { kind: 'invalid email' };
      const key = emailKey(keys, address);
      return found({ channel: 'email', address, key, limitKey: keys.keyFor('email', inboxOf(address)) });
    }
    case 'ntfy': {
      const key = keys.keyFor('ntfy', user.channel_id);
      return found({ channel: 'ntfy', address: user.channel_id, key, limitKey: key });
    }
    case 'push': {
      const endpoint = user.channel_id;
      if (!isPushEndpoint(endpoint, pushServices)) return { kind: 'invalid subscription' };
      const { p256dh, auth } = user.keys;
      if (!isPublicKey(p256dh) || Buffer.from(auth, 'base64url').length !== 16)
        return { kind: 'invalid subscription' };
      const key = keys.keyFor('push', endpoint);
      const address = JSON.stringify({ endpoint, keys: { p256dh, auth } });
      return found({ channel: 'push', address, key, limitKey: key });
    }
  }
}

/** Whether a key is an uncompressed point of the curve P-256, which encryption requires. */
function isPublicKey(p256dh: string): boolean {
  const key = Buffer.from(p256dh, 'base64url');
  try {
    return key.length === 65 && ECDH.convertKey(key, 'prime256v1').length > 0;
  } catch {
    return false;
  }
}

function found(contact: SignUpContact): ContactReading {
  return { kind: 'contact', contact };
}

/** Whether an endpoint belongs to a known push service, since this server calls it. Requires TLS. */
function isPushEndpoint(endpoint: string, services: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+)$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) return false;
  return services.some((service) =>
    service.startsWith('*.')
      ? url.hostname.endsWith(service.slice(1)) && url.port === ''
      : service === url.host || (service === url.hostname && (url.port === '' || isLocal)),
  );
}
