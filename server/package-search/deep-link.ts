import type { OfferCodes } from './offer-codes.ts';

/** Makes the deep link of an offer with these codes. */
export type DeepLink = (codes: OfferCodes) => string;

/**
 * Parses a provider's link template, such as `https://.../{hotel}?from={airport}`: it may name any of the
 * codes in braces. The codes are encoded already; a name that is no code stays as it is.
 */
export function deepLinkOf(template: string): DeepLink {
  // Split by a group, what stands between braces comes at every odd place.
  const pieces = template.split(/\{(\w+)\}/);
  return (codes) => {
    let link = '';
    for (const [index, piece] of pieces.entries()) {
      if (index % 2 === 0) link += piece;
      else link += isCode(codes, piece) ? codes[piece] : `{${piece}}`;
    }
    return link;
  };
}

function isCode(codes: OfferCodes, name: string): name is keyof OfferCodes {
  return Object.hasOwn(codes, name);
}
