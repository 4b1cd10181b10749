import { foldText } from '../../../../domain/fold-text.ts';
import { spellOutDates } from './dates.ts';

/** A person's message in the form that the rules match. */
export interface FoldedMessage {
  /** Lower case, without accents, punctuation, invisible characters and emoji. */
  words: string[];
  /** The same words by clause: 'too many messages, stop' has two clauses. */
  clauses: string[][];
  /** Emoji with a meaning of their own, each once. */
  signs: ReadonlySet<Sign>;
  /** Whether the message ends with a question mark. */
  isQuestion: boolean;
}

export type Sign = 'stop' | 'no' | 'yes' | 'delight';

/** What emoji mean in a message without words. With `delight`, even the word 'stop' may not mean STOP. */
const SIGNS: Readonly<Record<Sign, RegExp>> = {
  stop: /🛑|⛔|🚫|🔕|📵|🔇/u,
  no: /👎|❌|✋|🙅|✖|❎|🖐|🤚/u,
  yes: /👍|✅|✔|☑|👌|🆗|🙆/u,
  delight: /😍|😂|🤣|🥰|🤩|🎉|🙌|🔥/u,
};

/** How many characters are read. No command is longer, and a long text takes time. */
const LONGEST = 1_000;

const MAX_CLAUSES = 16;

/** What mail programs and phones append to a text. */
const SIGNATURE =
  /(^|\n)\s*(sent (from|via)|get outlook|envoy[eé] (de|depuis)|gesendet von|von meinem|enviado (desde|do)|wys[lł]ano z|trimis de)[^\n]*/giu;

/** A line that quotes an earlier message. */
const QUOTE = /(^|\n)>[^\n]*/g;

export function foldMessage(text: string): FoldedMessage {
  const own = text.slice(0, LONGEST).replace(QUOTE, '\n').replace(SIGNATURE, '\n');
  // Removes characters of no width, and reads '$top' and '@ll' as letters.
  const visible = spellOutDates(own)
    .normalize('NFKC')
    // Again, because normalizing can turn one character into eighteen.
    .slice(0, LONGEST)
    .replace(/\p{Cf}/gu, '')
    .replace(/\$(?=\p{L})/gu, 's')
    .replace(/@(?=\p{L}{2})/gu, 'a')
    .replace(/(?<=\p{L})@(?=\p{L})/gu, 'a');
  const signs = (Object.keys(SIGNS) as Sign[]).filter((sign) => SIGNS[sign].test(own));
  return {
    words: wordsOf(visible),
    clauses: fewClauses(
      visible
        .split(/[.,;:!?…]+(?=\s)|\n|\s[-–—]\s/u)
        .map(wordsOf)
        .filter((words) => words.length > 0),
    ),
    signs: new Set(signs),
    isQuestion: /[?？]\s*$/u.test(visible.trim()),
  };
}

/** Keeps only the first and last clauses, where requests are, because each clause takes time. */
function fewClauses(clauses: string[][]): string[][] {
  if (clauses.length <= MAX_CLAUSES) return clauses;
  return [...clauses.slice(0, MAX_CLAUSES / 2), ...clauses.slice(-MAX_CLAUSES / 2)];
}

function wordsOf(text: string): string[] {
  const folded = foldText(text);
  return folded === '' ? [] : joinSpelledOut(folded.split(' '));
}

/** Joins 's t o p' and 'S.T.O.P.' into one word. */
function joinSpelledOut(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let start = 0; start < words.length; ) {
    let end = start;
    while (/^\p{L}$/u.test(words[end] ?? '')) end += 1;
    if (end - start >= 3) joined.push(words.slice(start, end).join(''));
    else joined.push(...words.slice(start, Math.max(end, start + 1)));
    start = Math.max(end, start + 1);
  }
  return joined;
}
