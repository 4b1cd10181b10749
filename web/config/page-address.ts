import * as v from 'valibot';

/** What an address is read against: a path of the page's own host becomes an https address. */
const OWN_HOST = 'https://own.invalid';

/**
 * An address of the page's own host, or of another by http or https. `javascript:`, `data:` and the like are refused
 * however they are spelled: what the browser makes of the text is what counts.
 */
export const PageAddress = v.pipe(
  v.string(),
  v.check((address) => /^https?:$/.test(protocolOf(address)), 'Expected a path or an http or https address'),
);

/** The same where the page runs or shows what is there: of its own host, or of another by https. */
export const TrustedAddress = v.pipe(
  v.string(),
  v.check((address) => protocolOf(address) === 'https:', 'Expected a path or an https address'),
);

/** Where the visitor is sent: another site, by http or https. */
export const OutsideAddress = v.pipe(PageAddress, v.url());

function protocolOf(address: string): string {
  return URL.canParse(address, OWN_HOST) ? new URL(address, OWN_HOST).protocol : '';
}
