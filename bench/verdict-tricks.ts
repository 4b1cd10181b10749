import { BACK_TEST_MARKETS } from './back-test/markets.ts';
import { samplePanel } from './back-test/walk-forward.ts';
import { judgedOn } from './verdict-tricks/judged-on.ts';
import { type Answer, answerOf, contradictions, TRICKS } from './verdict-tricks/tricks.ts';

// Plays misleading prices on packages of every market of the back-test, and looks for contradictions in the verdicts on
// the prices as they are. Exits with 1 if a trick pays or a verdict contradicts itself:
//   node bench/verdict-tricks.ts [seed, default 1]
const PACKAGES = 500;

const seed = Number(process.argv[2] ?? 1);
const panel = samplePanel(seed);
let faults = 0;
for (const market of BACK_TEST_MARKETS) {
  const judged = judgedOn(panel, market, { seed, packages: PACKAGES });
  const wrong = new Map<string, number>();
  const count = (name: string) => wrong.set(name, (wrong.get(name) ?? 0) + 1);
  const answers = new Map<Answer, number>();
  for (const { input } of judged) {
    const answer = answerOf(input);
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    for (const text of contradictions(input)) count(text);
    const expected = input.expected?.price;
    if (expected === undefined) continue;
    for (const trick of TRICKS) {
      const given = answerOf(trick.played(input, expected));
      if (!trick.allowed.includes(given)) count(`${trick.name}: ${given}`);
    }
  }
  const found = [...wrong].map(([name, times]) => `${name} (${times})`);
  faults += found.length;
  console.log(
    `${market.name}: ${[...answers].map(([answer, times]) => `${times} ${answer}`).join(', ')}; ${judged.length * TRICKS.length} tricks, ${found.length === 0 ? 'none paid' : found.join(', ')}`,
  );
}
if (faults > 0) process.exitCode = 1;
