import type { OfferCodes } from './offer-codes.ts';

/** Makes the deep link of an offer with these codes. */
export type DeepLink = (codes: OfferCodes) => string;

/**
 * Parses a provider's link template, such as `https://.../{hotel}?from={airport}`: it may name any of the
 * codes in braces. The codes are encoded already; a name that is no code stays as it is.
 */
export function deepLinkOf(template: string): DeepLink {
  // Split by a group, what stands between braces comes at every odd place.
  const [first = '', ...rest] = template.split(/\{(\w+)\}/);
  return (codes) => {
    let link = first;
    for (let at = 0; at < rest.length; at += 2) {
      const [name = '', text = ''] = [rest[at], rest[at + 1]];
      link += isCode(codes, name) ? codes[name] : `{${name}}`;
      link += text;
    }
    return link;
  };
}

function isCode(codes: OfferCodes, name: string): name is keyof OfferCodes {
  return Object.hasOwn(codes, name);
}
