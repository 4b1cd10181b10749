import { foldText } from '../../../../domain/fold-text.ts';
import { spellOutDates } from './dates.ts';

/** A person's message as the rules compare it. */
export interface FoldedMessage {
  /** Lower case, without accents, punctuation, invisible characters and emoji. */
  words: string[];
  /** The same by clause: 'too many messages, stop' has two. */
  clauses: string[][];
  /** Emoji that mean something by themselves, each once. */
  signs: ReadonlySet<Sign>;
  /** Ends with a question mark. */
  isQuestion: boolean;
}

export type Sign = 'stop' | 'no' | 'yes' | 'delight';

/** A stop sign without words means STOP. A thumb down or a hand is a NO, and heart eyes are delight at a price. */
const SIGNS: Readonly<Record<Sign, RegExp>> = {
  stop: /🛑|⛔|🚫|🔕|📵|🔇/u,
  no: /👎|❌|✋|🙅|✖|❎|🖐|🤚/u,
  yes: /👍|✅|✔|☑|👌|🆗|🙆/u,
  delight: /😍|😂|🤣|🥰|🤩|🎉|🙌|🔥/u,
};

/** In characters. No command is longer, and a long text must not cost much. */
const LONGEST = 1_000;

const MAX_CLAUSES = 16;

/** What mail and phone programs add below a text. */
const SIGNATURE =
  /(^|\n)\s*(sent (from|via)|get outlook|envoy[eé] (de|depuis)|gesendet von|von meinem|enviado (desde|do)|wys[lł]ano z|trimis de)[^\n]*/giu;

/** A line that quotes an earlier message. */
const QUOTE = /(^|\n)>[^\n]*/g;

export function foldMessage(text: string): FoldedMessage {
  const own = text.slice(0, LONGEST).replace(QUOTE, '\n').replace(SIGNATURE, '\n');
  // Without characters that have no width, and with '$top' and '@ll' as they are meant.
  const visible = spellOutDates(own)
    .normalize('NFKC')
    // One character may have become eighteen.
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

/** What matters stands at the start or at the end. Each clause costs time. */
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
