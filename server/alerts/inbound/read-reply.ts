import { foldText } from '../../../domain/fold-text.ts';
import { hasPhrase, isMisspelt, isPhrase, withoutPolite } from './reply-words.ts';

/** What a person's message makes us do. Another message undoes each of these. */
export type Reply =
  /** Pauses all alerts. */
  | { kind: 'stop'; isAboutData: boolean }
  /** Ends the alerts with these numbers. */
  | { kind: 'stop-some'; numbers: readonly number[] }
  /** Lifts a stop, and brings back the alerts with these numbers; null: all that are paused. */
  | { kind: 'start'; numbers: readonly number[] | null }
  /** Is about data, or about deleting them. */
  | { kind: 'data' }
  /** Starts or ends what waits for confirmation. */
  | { kind: 'yes' | 'no' }
  | { kind: 'list' }
  /** Asks for the link to the holiday that the message with this ID is about. */
  | { kind: 'see'; message: number }
  | { kind: 'help' }
  /** Needs no answer. */
  | { kind: 'nothing' }
  /** Anything else. */
  | { kind: 'other' };

const MAX_WEAK_WORDS = 4;

/** How many characters are read, because a long text takes time. */
const MAX_READ = 1_000;

/** Lines that quote an earlier message, and what phones append to a text. */
const NOT_WRITTEN =
  /(^|\n)(>|\s*(sent (from|via)|get outlook|envoye de|gesendet von|von meinem|enviado d|wyslano z|trimis de))[^\n]*/giu;

/** Reads a message or a pressed button by the words that it contains (`reply-words.ts`). */
export function readReply({ text, payload }: { text: string; payload: string | null }): Reply {
  if (payload === null) return readText(text);
  const [, message] = /^see:(\d{1,15})$/.exec(payload) ?? [];
  if (message !== undefined) return { kind: 'see', message: Number(message) };
  const meant = readText(payload);
  if (meant.kind !== 'other' && meant.kind !== 'nothing') return meant;
  // The payload is not ours, but the button's title may be a stop.
  const shown = readText(text);
  return shown.kind === 'stop' ? shown : meant;
}

function readText(text: string): Reply {
  const words = wordsOf(text);
  if (words.length === 0) return readSigns(text);
  const some = readNumbers(words);
  if (some !== null) return some;
  const isAboutData = hasPhrase('data', words);
  if (isStop(words)) return { kind: 'stop', isAboutData };
  if (isPhrase('start', words)) return { kind: 'start', numbers: null };
  if (isAboutData) return { kind: 'data' };
  const isQuestion = /[?？]\s*$/u.test(text);
  if (!isQuestion && isYes(words)) return { kind: 'yes' };
  if (isPhrase('no', words)) return { kind: 'no' };
  // A long message with a weak word may be a stop. The line of help has the button 'Stop all'.
  if (isPhrase('help', words) || hasPhrase('weak', words)) return { kind: 'help' };
  if (hasPhrase('list', words)) return { kind: 'list' };
  if (isQuestion) return { kind: 'other' };
  if (hasPhrase('thanks', words) || withoutPolite(words).length === 0) return { kind: 'nothing' };
  return { kind: isShort(words) && hasPhrase('no', words.slice(0, 1)) ? 'no' : 'other' };
}

function isStop(words: readonly string[]): boolean {
  const hasStop = (wordClass: 'strong' | 'weak') =>
    hasPhrase(wordClass, words) || words.some((word) => isMisspelt(wordClass, word));
  return hasStop('strong') || (isShort(words) && hasStop('weak')) || isPhrase('alone', words);
}

function isYes(words: readonly string[]): boolean {
  return isPhrase('yes', words) || (hasPhrase('yes', words.slice(0, 1)) && !hasPhrase('doubt', words));
}

function isShort(words: readonly string[]): boolean {
  return words.length <= MAX_WEAK_WORDS;
}

const NUMBERED =
  /^(?:(?:please|pls|just) )?(stop|unsubscribe|cancel|end|quit|pause|start) ?(?:(?:alert|number|no|nr) )?(\d{1,3}(?: (?:and )?\d{1,3}){0,29})(?: (?:please|pls|thanks|only))?$/;

/** Reads 'stop 2', 'STOP #1 and 3' and 'start 2'; null for any other message. */
function readNumbers(words: readonly string[]): Reply | null {
  const [, verb, said] = NUMBERED.exec(words.join(' ')) ?? [];
  if (said === undefined) return null;
  const numbers = [...new Set(said.match(/\d+/g)?.map(Number))];
  return { kind: verb === 'start' ? 'start' : 'stop-some', numbers };
}

/** The folded words of a message: 'S.T.O.P' is one word, and 'STOOOP' has one O. */
function wordsOf(text: string): string[] {
  const visible = text
    .slice(0, MAX_READ)
    .normalize('NFKC')
    // Again, because normalizing can turn one character into eighteen.
    .slice(0, MAX_READ)
    .replace(/\p{Cf}/gu, '')
    .replace(NOT_WRITTEN, '$1')
    .replace(/\$(?=\p{L})/gu, 's');
  const folded = foldText(visible)
    .replace(/\bdo not\b/g, 'dont')
    .replace(/\bdid not\b/g, 'didnt')
    .replace(/(?<=(?<!\p{L})\p{L}) (?=\p{L}(?!\p{L}))/gu, '')
    .replace(/(\p{L})\1{2,}/gu, '$1');
  return folded === '' ? [] : folded.split(' ');
}

/** Reads a message without words. Emoji need no answer, unless they mean stop. */
function readSigns(text: string): Reply {
  if (/🛑|⛔|🚫|🔕|📵|🔇/u.test(text)) return { kind: 'stop', isAboutData: false };
  return /^[\s?？]+$/u.test(text) && /\S/u.test(text) ? { kind: 'help' } : { kind: 'nothing' };
}
