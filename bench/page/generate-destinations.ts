/** The names of a country, a region and a resort. */
type Names = readonly [country: string, region: string, resort: string];

const SYLLABLES = 'al ba ca dor es fa gran ho il ka la ma ni or pal que ro san te ur va wi xa yo zan'.split(
  ' ',
);
const KNOWN: readonly Names[] = [
  ['Spain', 'Costa Blanca', 'Benidorm'],
  ['Spain', 'Tenerife', 'Costa Adeje'],
  ['Spain', 'Andalucía', 'Málaga'],
];

/**
 * Generates a list with 40 resorts per region and 25 regions per country, always with the same random
 * syllables.
 */
export function generateDestinations(size: number): Names[] {
  let state = 1;
  const below = (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const word = () =>
    Array.from({ length: 2 + below(3) }, () => SYLLABLES[below(SYLLABLES.length)] ?? '').join('');
  const name = () => {
    const [first = '', ...rest] = below(3) === 0 ? `${word()} ${word()}` : word();
    return first.toUpperCase() + rest.join('');
  };
  const destinations = [...KNOWN];
  let [country, region] = [name(), name()];
  while (destinations.length < size) {
    if (destinations.length % 1_000 === 0) country = name();
    if (destinations.length % 40 === 0) region = name();
    destinations.push([country, region, name()]);
  }
  return destinations;
}
