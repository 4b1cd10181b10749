/**
 * The time of a keystroke in the destination field without painting: `npm run bench:destinations`. Types texts, some
 * misspelt, into lists of 5,000 and 50,000 generated destinations, and prints the median and the worst time after a
 * warm-up round.
 */
import { countOptions, indexDestinations } from '../domain/destination-index.ts';
import { matchDestinations } from '../domain/destination-search.ts';
import { generateDestinations } from './support/generate-destinations.ts';

const SIZES = [5_000, 50_000];
const ROUNDS = 5;
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
  const destinations = generateDestinations(size);
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
    `${size.toLocaleString('en-GB')} destinations, ${countOptions(index).toLocaleString('en-GB')} options: ` +
      `index ${indexing.toFixed(0)} ms; keystroke median ${median?.ms.toFixed(2)} ms, ` +
      `worst ${worst?.ms.toFixed(2)} ms ('${worst?.text}')`,
  );
}

function prefixes(text: string): string[] {
  return Array.from(text, (_, end) => text.slice(0, end + 1));
}
