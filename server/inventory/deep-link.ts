import type { OfferCodes } from './offer-codes.ts';

export type DeepLink = (codes: OfferCodes) => string;

/**
 * Parses a provider's link template, such as `https://.../{hotel}?from={airport}`. In links, codes and party
 * numbers replace their names in braces; other names stay. Codes are already percent-encoded.
 */
export function deepLinkOf(template: string): DeepLink {
  // Splitting by a group puts the names at odd indexes.
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

/** The names of the numbers in a party's code, in order. */
const PEOPLE = ['adults', 'children', 'infants'];

function codeOrCount(codes: OfferCodes, name: string): string | undefined {
  if (isCode(codes, name)) return codes[name];
  const nth = PEOPLE.indexOf(name);
  return nth < 0 ? undefined : codes.party.split('-')[nth];
}

function isCode(codes: OfferCodes, name: string): name is keyof OfferCodes {
  return Object.hasOwn(codes, name);
}
