/**
 * What a keystroke in the destination field costs, without painting: `npm run bench:destinations`.
 * Types each text letter by letter into lists of 5,000 and 50,000 made-up destinations, some of it misspelt,
 * and prints the median and the worst call in milliseconds, after one unmeasured round to warm up.
 */
import type { Destination } from '../domain/destination.ts';
import { destinationCode } from '../domain/destination.ts';
import { indexDestinations, matchDestinations } from '../domain/destination-match.ts';

const SIZES = [5_000, 50_000];
const ROUNDS = 5;
const SYLLABLES = 'al ba ca dor es fa gran ho il ka la ma ni or pal que ro san te ur va wi xa yo zan'.split(
  ' ',
);
const KNOWN: readonly (readonly [string, string, string])[] = [
  ['Spain', 'Costa Blanca', 'Benidorm'],
  ['Spain', 'Tenerife', 'Costa Adeje'],
  ['Spain', 'Andalucía', 'Málaga'],
];
const TYPED = [
  'benidorm',
  'costa blanca, spain',
  'málaga',
  'tenrife',
  'costa blnca',
  'qqqqqqqqqq',
  'a a a a',
];

for (const size of SIZES) {
  const destinations = makeDestinations(size);
  const startedIndexing = performance.now();
  const index = indexDestinations(destinations);
  const indexing = performance.now() - startedIndexing;
  const keystrokes: { text: string; ms: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const text of TYPED.flatMap(prefixes)) {
      const started = performance.now();
      matchDestinations(index, text);
      if (round > 0) keystrokes.push({ text, ms: performance.now() - started });
    }
  }
  keystrokes.sort((one, other) => one.ms - other.ms);
  const median = keystrokes[Math.floor(keystrokes.length / 2)];
  const worst = keystrokes.at(-1);
  console.log(
    `${size.toLocaleString('en-GB')} destinations, ${index.options.length.toLocaleString('en-GB')} options: ` +
      `index ${indexing.toFixed(0)} ms; keystroke median ${median?.ms.toFixed(2)} ms, ` +
      `worst ${worst?.ms.toFixed(2)} ms ('${worst?.text}')`,
  );
}

function prefixes(text: string): string[] {
  return Array.from(text, (_, end) => text.slice(0, end + 1));
}

/** The same list every time: names of two to five syllables, 40 resorts a region, 25 regions a country. */
function makeDestinations(size: number): Destination[] {
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
  const destinations = KNOWN.map((names) => ({ names }));
  let [country, region] = [name(), name()];
  while (destinations.length < size) {
    if (destinations.length % 1_000 === 0) country = name();
    if (destinations.length % 40 === 0) region = name();
    destinations.push({ names: [country, region, name()] });
  }
  return destinations.map(({ names: [c, r, t] }) => ({
    country: c,
    region: r,
    resort: t,
    code: destinationCode(c, r, t),
  }));
}
