/** What a sentence puts after a link, and some apps take for a part of it. */
export const AFTER_LINK = /[\s.,;:!?)\]}>'"’”»]+$/;

/**
 * The parameters of a link's query. Undoes HTML escapes ('&amp;region='), and leaves out what follows the link unless
 * the last value may be a name, which may end alike.
 */
export function linkParameters(
  query: Iterable<[name: string, value: string]>,
  endsWithName = false,
): [string, string][] {
  const parameters = [...query];
  return parameters.map(([name, value], at) => [
    name.replace(/^(amp;|#38;)+/i, ''),
    at === parameters.length - 1 && !endsWithName ? value.replace(AFTER_LINK, '') : value,
  ]);
}
