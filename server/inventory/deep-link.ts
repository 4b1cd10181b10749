import type { OfferCodes } from './offer-codes.ts';

/** Makes the deep link of an offer with these codes. */
export type DeepLink = (codes: OfferCodes) => string;

/**
 * Parses a provider's link template, such as `https://.../{hotel}?from={airport}`. It can contain any of the codes in
 * braces, and the numbers of the party's people; other names in braces stay as they are. Codes are already percent-encoded.
 */
export function deepLinkOf(template: string): DeepLink {
  // Splitting by a group puts the names at the odd indexes.
  const [first = '', ...rest] = template.split(/\{(\w+)\}/);
  return (codes) => {
    let link = first;
    for (let at = 0; at < rest.length; at += 2) {
      const [name = '', text = ''] = [rest[at], rest[at + 1]];
      link += codeOrCount(codes, name) ?? `{${name}}`;
      link += text;
    }
    return link;
  };
}

/** The numbers in a party's code, in order. */
const PEOPLE = ['adults', 'children', 'infants'];

function codeOrCount(codes: OfferCodes, name: string): string | undefined {
  if (isCode(codes, name)) return codes[name];
  const nth = PEOPLE.indexOf(name);
  return nth < 0 ? undefined : codes.party.split('-')[nth];
}

function isCode(codes: OfferCodes, name: string): name is keyof OfferCodes {
  return Object.hasOwn(codes, name);
}
