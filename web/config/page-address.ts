import * as v from 'valibot';

/** The base that a path is resolved against, which makes it an https address. */
const OWN_HOST = 'https://own.invalid';

/**
 * A path, or an http or https address. Other schemes such as `javascript:` and `data:` are refused in every spelling,
 * because the text is parsed as the browser parses it.
 */
export const PageAddress = v.pipe(
  v.string(),
  v.check((address) => /^https?:$/.test(protocolOf(address)), 'Expected a path or an http or https address'),
);

/** A path or an https address: for content that the page runs or displays. */
export const TrustedAddress = v.pipe(
  v.string(),
  v.check((address) => protocolOf(address) === 'https:', 'Expected a path or an https address'),
);

/** An absolute http or https address: for links to other sites. */
export const OutsideAddress = v.pipe(PageAddress, v.url());

function protocolOf(address: string): string {
  try {
    return new URL(address, OWN_HOST).protocol;
  } catch {
    return '';
  }
}
