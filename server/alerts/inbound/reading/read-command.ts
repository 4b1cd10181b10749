import type { Command } from './command.ts';
import { ENGLISH } from './english.ts';
import { type FoldedMessage, foldMessage } from './fold-message.ts';
import { LANGUAGES } from './languages.ts';
import { readPayload } from './payloads.ts';
import { correctSpelling } from './spelling.ts';

const ALL = [ENGLISH, ...LANGUAGES];
const STOP_WORDS = new Set(ALL.flatMap(({ stopWords }) => stopWords));
const STOP_PHRASES = ALL.flatMap(({ stopPhrases }) => stopPhrases);
const OTHER_MEANINGS = ALL.flatMap(({ otherMeanings }) => otherMeanings);
const DELETE_PHRASES = ALL.flatMap(({ deletePhrases }) => deletePhrases);
const YES_WORDS = new Set(ALL.flatMap(({ yesWords }) => yesWords));
const NO_WORDS = new Set(ALL.flatMap(({ noWords }) => noWords));
const START_WORDS = new Set(ALL.flatMap(({ startWords }) => startWords));
const LIST_PHRASES = ALL.flatMap(({ listPhrases }) => listPhrases);
const HELP_PHRASES = ALL.flatMap(({ helpPhrases }) => helpPhrases);
const POLITE = new Set(ALL.flatMap(({ polite }) => polite));

/**
 * Reads a message or a button. The first rule that applies decides; a message that asks for two things is a stop, if one
 * of them is. Case, accents, invisible characters, punctuation, emoji and slips change nothing.
 */
export function readCommand(message: { text: string; payload: string | null }): Command {
  if (message.payload !== null) return readButton(message.payload, message.text);
  return readText(message.text);
}

/** A button says what it means in its payload. Its title is only what the person saw. */
function readButton(payload: string, title: string): Command {
  const meant = readPayload(payload);
  if (meant !== null) return meant;
  const said = readText(payload);
  if (said.kind !== 'neither') return said;
  // A payload that is not ours under a title that may mean STOP: only the person can tell.
  const shown = readText(title);
  return shown.kind === 'stop' || shown.kind === 'stop?' ? { kind: 'stop?' } : { kind: 'neither' };
}

function readText(text: string): Command {
  const folded = foldMessage(text);
  if (folded.words.length === 0) return readSigns(folded, text);
  const sentence = correctSpelling(folded.words);
  const meant = withoutOtherMeanings(sentence);
  const words = meant.split(' ').filter((word) => word !== '');

  const one = watchNumbers(sentence);
  if (one !== null) return { kind: 'stop-one', numbers: one };
  if (matches(DELETE_PHRASES, meant)) return { kind: 'delete' };
  if (
    /^(keep|keep (them|it|all|my alerts|the alerts|going)|carry on|continue)( (please|thanks|on|them))*$/.test(
      sentence,
    )
  )
    return { kind: 'keep' };
  if (matches(STOP_PHRASES, meant)) return { kind: 'stop' };
  if (isOnly(words, STOP_WORDS, sentence === meant)) return { kind: 'stop' };
  if (folded.clauses.length > 1 && folded.clauses.some(isStopClause)) return { kind: 'stop' };
  if (STOP_WORDS.has(words.filter((word) => word !== 'please').join(''))) return { kind: 'stop' };
  if (folded.signs.has('stop') && words.length <= 2 && sentence === meant && !matches(LIST_PHRASES, meant))
    return { kind: 'stop' };
  if (mayBeStop(words, meant)) return { kind: 'stop?' };
  return readOther(folded, sentence, sentence === meant);
}

/** A clause that says STOP and nothing else, beside any others. */
function isStopClause(clause: readonly string[]): boolean {
  const sentence = correctSpelling(clause);
  const meant = withoutOtherMeanings(sentence);
  return matches(STOP_PHRASES, meant) || isOnly(meant.split(' '), STOP_WORDS, sentence === meant);
}

function readOther(folded: FoldedMessage, sentence: string, isWhole: boolean): Command {
  const words = sentence.split(' ');
  if (matches(LIST_PHRASES, sentence)) return { kind: 'list' };
  if (isStart(words, folded)) return { kind: 'start' };
  if (matches(HELP_PHRASES, sentence)) return { kind: 'help' };
  const answer = isWhole ? yesOrNo(words, folded) : null;
  if (answer !== null) return { kind: answer };
  return { kind: 'neither' };
}

/** Emoji without words. */
function readSigns({ signs, isQuestion }: FoldedMessage, text: string): Command {
  if (signs.has('stop')) return { kind: 'stop' };
  if (signs.has('no')) return { kind: 'no' };
  if (signs.has('yes')) return { kind: 'yes' };
  return isQuestion || /^[\s?？]+$/u.test(text) ? { kind: 'help' } : { kind: 'neither' };
}

/** Takes out what contains a stop word and means something else: 'bus stop', 'end of May', 'don't stop'. */
function withoutOtherMeanings(sentence: string): string {
  let left = sentence;
  for (const phrase of OTHER_MEANINGS) left = left.replace(phrase, ' ');
  return left.replace(/\s+/g, ' ').trim();
}

function matches(phrases: readonly RegExp[], sentence: string): boolean {
  return phrases.some((phrase) => phrase.test(sentence));
}

/** Whether the message is a stop word, or several, with nothing beside them but courtesy. */
function isOnly(words: readonly string[], wanted: ReadonlySet<string>, isWhole: boolean): boolean {
  if (!isWhole || !words.some((word) => wanted.has(word))) return false;
  const first = words[0] ?? '';
  // 'is that the end' is a question.
  if (/^(is|was|are|does|did|when|where|what|which|how)$/.test(first)) return false;
  return words.every(
    (word) => wanted.has(word) || POLITE.has(word) || NO_WORDS.has(word) || YES_WORDS.has(word),
  );
}

const UNSURE = [
  /\b(stop|stopped|stopping|stopp|unsubscribe|unsubscribing)\b/,
  /\b(too many|so many|constantly|again and again|every day) (\w+ )?(messages|alerts|texts|notifications)\b|\b(mute|pause|snooze|less often|fewer)\b/,
  /\b(already|have|just) booked\b|\bbooked (already|now|elsewhere|something)\b|\bfound (one|something|another|a better)\b|\bwent elsewhere\b/,
  /\b(not (looking|going|travelling) (any more|now)|no longer (looking|going|travelling)|changed (my|our) minds?)\b/,
  /\bnot interested\b|\b(annoying|bothering me|spam|spamming)\b/,
  /\bdont (want|need|send|text|message|like) (this|these|it|them|any|me)\b/,
  /\b(cancel|remove|unregister|disable|deactivate) (me|us|my|this|the)\b/,
  /^(stop|end|cancel|quit) \w+$/,
  // A denial about messages
  /\b(no|not|dont|never|isnt|without)\b.*\b(messages?|texts?|texting|messaging|alerts?|notifications?|whatsapps?|spam)\b/,
  /^forget (it|about it|this)\b/,
];

/** Whether a stop word is left that no rule has explained. */
function mayBeStop(words: readonly string[], meant: string): boolean {
  if (matches(UNSURE, meant)) return true;
  const [first = ''] = words;
  return words.length <= 4 && STOP_WORDS.has(first) && !POLITE.has(first);
}

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  '1st': 1,
  '2nd': 2,
  '3rd': 3,
  '4th': 4,
};

const STOP_ONE =
  /^(?:(?:please|can you|could you|hi|hello|yes|ok|just|now) )*(?:stop|cancel|end|remove|delete|unsubscribe|arret|stopp|parar)(?: (?:watching|from|for|of|me|messages|alerts))* ?(?:(?:watch|number|no|nr|num|alert|item|holiday|the|only|just|my|deal) )*((?:\d{1,4}|1st|2nd|3rd|4th|one|two|three|four|five|six|first|second|third|fourth)(?: (?:and |& )?(?:\d{1,4}|two|three|four|five|six))*)(?: (?:one|watch|alert|holiday|only|please|thanks|on the list|thank you|now))*$/;
const STOP_THIS =
  /^(?:please |can you |just )*(?:stop|cancel|end|remove|unsubscribe)(?: (?:watching|from|only|just))* (?:(?:this|that) (?:one|hotel|holiday|watch|alert|deal|trip|package)|(?:only|just) (?:this|that)(?: one)?|this one only)(?: (?:only|please|thanks|now))*$/;

/** The watches that a message ends: 'stop 2', 'stop 1 and 3', 'cancel the second one', 'stop this one'. */
function watchNumbers(sentence: string): number[] | null {
  if (STOP_THIS.test(sentence)) return [];
  const joined = sentence.replace(/^(stop|cancel|end)(\d{1,4})$/, '$1 $2');
  const [, found] = STOP_ONE.exec(joined) ?? [];
  if (found === undefined) return null;
  const numbers = found
    .split(' ')
    .filter((word) => word !== 'and')
    .map((word) => NUMBER_WORDS[word] ?? Number(word));
  return [...new Set(numbers)];
}

const START_BESIDE = new Set(
  'please again the my alerts alert messages now thanks i want to would like you can could sending me it them up hi hello ok yes thank re sub back on watching'.split(
    ' ',
  ),
);

/** START lifts a stop, so it must be all that the message says. */
function isStart(words: readonly string[], { isQuestion }: FoldedMessage): boolean {
  if (
    /^(please )?(turn|switch) (\w+ ){0,3}(alerts?|messages|notifications|it|them) (back )?on( again| please)*$/.test(
      words.join(' '),
    )
  )
    return true;
  if (
    /^(please )?(turn|switch) on (\w+ ){0,2}(alerts?|messages|notifications)( again| please)*$/.test(
      words.join(' '),
    )
  )
    return true;
  const hasStart = words.some((word) => START_WORDS.has(word));
  if (!hasStart || words.length > 8) return false;
  if (isQuestion && !/^(can|could|please)$/.test(words[0] ?? '')) return false;
  return words.every((word) => START_WORDS.has(word) || START_BESIDE.has(word) || POLITE_START.has(word));
}

const POLITE_START = new Set(
  'svp bitte por favor prosze merci danke gracias va rog wieder alerty alertas'.split(' '),
);

const DENIALS = /\b(no|not|dont|didnt|wasnt|isnt|never|nope|cant|wont|but|if|nein|nie|non|nao|nu)\b/;
const WEAK_YES = new Set(
  'ok okay oke okey okie k kk sure great perfect lovely brilliant exactly right bueno parfait'.split(' '),
);
const YES_PHRASE =
  /^(please |ok |yes )*(go ahead|sounds good|that is (me|right|correct|fine)|thats (me|right|correct|fine|great)|it (was|is) me|i (do|agree|confirm|accept|consent|did|am)|its me|do it|count me in|why not|of course|sign me up|i want (this|it|them|the alerts|alerts)|go on then|sounds great|sure thing|sure why not|all good|yes it is|d accord|ja gerne|va bene|that was me|please do|watch it|i would like (this|that|alerts|the alerts))( (please|thanks|then|yes|thank you|it|now))*$/;

function yesOrNo(words: readonly string[], { signs, isQuestion }: FoldedMessage): 'yes' | 'no' | null {
  const sentence = words.join(' ');
  const [first = ''] = words;
  if (YES_PHRASE.test(sentence)) return 'yes';
  const saysYes = YES_WORDS.has(first) && !DENIALS.test(sentence) && !signs.has('no');
  if (saysYes && isAnswer(words, YES_WORDS, isQuestion)) return 'yes';
  if (saysYes && !WEAK_YES.has(first) && !isQuestion && words.length <= 8) return 'yes';
  const rest = new Set([
    ...NO_WORDS,
    'not',
    'me',
    'it',
    'wasnt',
    'was',
    'i',
    'thanks',
    'didnt',
    'isnt',
    'this',
    'that',
    'is',
  ]);
  const isNo =
    NO_WORDS.has(first) ||
    /^(not me|it wasnt me|wasnt me|that wasnt me|not today|id rather not|i would rather not)\b/.test(
      sentence,
    );
  if (isNo && (words.length <= 2 || words.every((word) => rest.has(word) || POLITE.has(word)))) return 'no';
  const [last = ''] = words.slice(-1);
  const endsWithYes = words.length <= 5 && YES_WORDS.has(last) && !WEAK_YES.has(last);
  if (endsWithYes && words.every((word) => YES_WORDS.has(word) || POLITE.has(word))) return 'yes';
  return signs.has('yes') && words.length <= 3 && words.every((word) => POLITE.has(word)) ? 'yes' : null;
}

function isAnswer(words: readonly string[], wanted: ReadonlySet<string>, isQuestion: boolean): boolean {
  return !isQuestion && words.every((word) => wanted.has(word) || POLITE.has(word));
}
