import * as v from 'valibot';

/** The base against which paths are resolved, so that they become https URLs. */
const OWN_HOST = 'https://own.invalid';

/** A path, or an http or https URL. Parsed as browsers do, so that no spelling of `javascript:` passes. */
export const PageUrl = v.pipe(
  v.string(),
  v.check((url) => /^https?:$/.test(protocolOf(url)), 'Expected a path or an http or https URL'),
);

/** A path or an https URL: for content that the page runs or displays. */
export const TrustedUrl = v.pipe(
  v.string(),
  v.check((url) => protocolOf(url) === 'https:', 'Expected a path or an https URL'),
);

/** An absolute http or https URL: for links to other sites. */
export const OutsideUrl = v.pipe(PageUrl, v.url());

function protocolOf(url: string): string {
  try {
    return new URL(url, OWN_HOST).protocol;
  } catch {
    return '';
  }
}
