import { type Command, readPayload } from './command.ts';
import {
  ABOUT_HOURS,
  ASKS,
  ASKS_ABOUT_DATA,
  DELETED_BEFORE,
  DELETES,
  DELETING,
  EXCUSES,
  HELPS,
  KEEPS,
  LISTS,
  NO,
  STARTS,
  STARTS_AGAIN,
  WEARY_YES,
  YES,
} from './english-requests.ts';
import { DELIGHT, MAY_BE_STOP, ONLY_SAYS_STOP, SAYS_STOP } from './english-stops.ts';
import { type FoldedMessage, foldMessage } from './fold-message.ts';
import { readElsewhere } from './other-languages.ts';
import { OTHER_MEANINGS } from './other-meanings.ts';
import { applies, type Rule, without } from './pattern.ts';
import { correctSpelling } from './spelling.ts';
import { watchNumbers } from './watch-numbers.ts';

/**
 * Reads a message or a button. The first rule that applies decides. A message with two requests is a stop if
 * one of them is. Case, accents, invisible characters, punctuation, emoji and typing errors do not matter.
 */
export function readCommand(message: { text: string; payload: string | null }): Command {
  if (message.payload !== null) return readButton(message.payload, message.text);
  return readText(message.text);
}

/** A button means what its payload says. Its title is only what the person saw. */
function readButton(payload: string, title: string): Command {
  const meant = readPayload(payload);
  if (meant !== null) return meant;
  const said = readText(payload);
  if (said.kind !== 'ask' && said.kind !== 'none') return said;
  // The payload is not ours, but the title may mean STOP, so ask the person.
  const shown = readText(title);
  return shown.kind === 'stop' || shown.kind === 'ask' ? { kind: 'ask' } : { kind: 'none' };
}

/** A message, or one of its clauses, in the form that the rules match. */
interface Reading {
  /** With the words spelled correctly. */
  sentence: string;
  /** The sentence without phrases in which a stop word means something else. */
  meant: string;
}

function readText(text: string): Command {
  const folded = foldMessage(text);
  if (folded.words.length === 0) return readSigns(folded, text);
  const whole = readingOf(folded.words);
  const clauses = folded.clauses.length > 1 ? folded.clauses.map(readingOf) : [];
  const readings = [whole, ...clauses];
  const says = (rule: Rule) => readings.some(({ sentence }) => applies(rule, sentence));

  const numbers = watchNumbers(whole.sentence);
  if (numbers !== null) return { kind: 'stop-one', numbers };
  const elsewhere = readElsewhere(folded.words, folded.isQuestion);
  if (elsewhere !== null && elsewhere !== 'ask') return { kind: elsewhere };
  if (says(WEARY_YES)) return { kind: 'yes' };
  if (says(DELETED_BEFORE)) return { kind: 'help' };
  if (isStart(whole, clauses, folded)) return { kind: 'start' };
  const data = readDataRequest(readings, folded);
  if (data !== null) return data;
  if (applies(KEEPS, whole.sentence)) return { kind: 'keep' };
  if (says(ABOUT_HOURS) && !clauses.some(isOnlyStop)) return { kind: 'hours' };
  const stop = readStop(readings, folded);
  if (stop !== null) return { kind: stop };
  if (applies(LISTS, whole.sentence)) return { kind: 'list' };
  const answer = yesOrNo(whole, clauses, folded);
  if (answer !== null) return { kind: answer };
  if (readings.some(({ meant }) => applies(MAY_BE_STOP, meant))) return { kind: 'ask' };
  if (says(HELPS)) return { kind: 'help' };
  return { kind: elsewhere ?? otherwise(whole, folded) };
}

function readingOf(words: readonly string[]): Reading {
  const sentence = correctSpelling(words);
  return { sentence, meant: without(OTHER_MEANINGS, sentence) };
}

const NOT_TO_DELETE =
  /\b(dont|never|no need to|not) ((want|ever|please|you|to|going|my|our|all|the|data|details|account|info) ){0,5}(deleted?|erased?|wiped?|removed?)\b/;

/** 'Could you please delete my data?' is a request, although it ends with a question mark. */
const IS_POLITE_REQUEST = /^(?=.*\bplease\b)(?!.*\b(how|if|what|where)\b)(please|can|could|will|would)\b/;

/** Reads a question about data, which we answer, or a request to delete it, which we ask to confirm. */
function readDataRequest(readings: readonly Reading[], { isQuestion }: FoldedMessage): Command | null {
  const isRequest = readings.some(({ sentence }) => IS_POLITE_REQUEST.test(sentence));
  const asksHow = !isRequest && readings.some(({ sentence }) => applies(ASKS, sentence));
  const asks = asksHow || (!isRequest && isQuestion);
  const exceptDeleting = (said: string) => without(DELETES, asksHow ? without(DELETING, said) : said);
  const saysStop = readings.some(({ meant }) => applies(SAYS_STOP, exceptDeleting(meant)));
  if (readings.some(({ sentence }) => NOT_TO_DELETE.test(sentence)))
    return saysStop ? null : { kind: 'none' };
  const isDelete = readings.some(({ meant }) => applies(DELETES, meant));
  if (isDelete && !asks) return { kind: 'ask-delete' };
  if (saysStop) return null;
  const isAbout =
    isDelete ||
    readings.some(({ meant }) => applies(ASKS_ABOUT_DATA, meant) || (asksHow && applies(DELETING, meant)));
  return isAbout ? { kind: 'data-question' } : null;
}

/** Whether the message or one of its clauses is a stop. */
function readStop(readings: readonly Reading[], folded: FoldedMessage): 'stop' | 'ask' | null {
  const [whole] = readings;
  if (whole === undefined) return null;
  if (readings.some(({ meant }) => applies(SAYS_STOP, meant)))
    return WANTS_BACK.test(whole.meant) ? 'ask' : 'stop';
  const only = readings.filter(isOnlyStop);
  const isBare = only.some(({ sentence }) => sentence === whole.sentence);
  const isDelight =
    applies(DELIGHT, whole.sentence) || folded.signs.has('delight') || /\d{2}/.test(whole.sentence);
  if (only.length > 0)
    return isDelight || (folded.isQuestion && !isBare) || WANTS_BACK.test(whole.meant) ? 'ask' : 'stop';
  return folded.signs.has('stop') && folded.words.length <= 2 && whole.meant === whole.sentence
    ? 'stop'
    : null;
}

/** 'I said stop last year but I would like them again' */
const WANTS_BACK =
  /\b(like|want|have|get|put|turn) (me|it|them|these|the alerts|my alerts) (back|again|on)\b|\b(start|restart) (it|them|again|sending)\b/;

/** Whether the text is only a stop. False if a phrase in it means something else, such as 'dont stop'. */
function isOnlyStop({ sentence, meant }: Reading): boolean {
  if (
    sentence !== meant ||
    /^(was|does|did|when|which|can (i|we) cancel|is (?!there (a|any) way|it possible))\b/.test(sentence)
  )
    return false;
  return applies(ONLY_SAYS_STOP, sentence);
}

/**
 * START lifts a stop, so the message may say nothing else, except why it was stopped: 'I stopped these by
 * mistake, turn them back on'.
 */
function isStart(whole: Reading, clauses: readonly Reading[], { isQuestion }: FoldedMessage): boolean {
  const { sentence } = whole;
  if ((applies(YES, sentence) && !/\b(again|back)\b/.test(sentence)) || NO_START.test(sentence)) return false;
  if (isQuestion && !/^(\S+ ){0,2}(can|could|will|would|please)\b/.test(sentence)) return false;
  const starts = (said: string) =>
    !NO_START.test(said) && applies(STARTS, said) && applies(STARTS_AGAIN, said);
  if (starts(sentence) || starts(whole.meant)) return true;
  const isExcused = clauses.some((clause) => applies(EXCUSES, clause.sentence));
  const isStarting = (clause: Reading) =>
    starts(clause.sentence) || (isExcused && applies(KEEPS, clause.sentence));
  return (
    clauses.some(isStarting) &&
    clauses.every(
      (clause) => isStarting(clause) || applies(EXCUSES, clause.sentence) || isCourtesy(clause.sentence),
    )
  );
}

const NO_START =
  /^(how|when|where|what|which|why|if|do|does|did|is|are|should|shall|might|am|no|not|dont)\b|\bno$/;

/** Reads a yes or no. A longer sentence that begins with one is neither: 'yes it is lovely there'. */
function yesOrNo(
  whole: Reading,
  clauses: readonly Reading[],
  { signs, isQuestion }: FoldedMessage,
): 'yes' | 'no' | null {
  const { sentence, meant } = whole;
  if (sentence !== meant) return null;
  if (!isQuestion && !signs.has('no')) {
    const [first, ...rest] = clauses;
    // 'Yes, thank you. Margaret'
    if (
      applies(YES, sentence) ||
      (first !== undefined && applies(YES, first.sentence) && rest.every(isAside))
    )
      return 'yes';
  }
  if (applies(NO, sentence)) return 'no';
  return signs.has('yes') && isCourtesy(sentence) ? 'yes' : null;
}

function isCourtesy(said: string): boolean {
  return /^((please|thanks|thank you|sorry|ok|hi|hello|hey|oops|my mistake|love|mate|ta|x+|now|lovely|great)( |$)){1,4}$/.test(
    said,
  );
}

/** Polite words, or the sender's name at the end. */
function isAside({ sentence }: Reading): boolean {
  return (
    isCourtesy(sentence) || /^(?!(no|not|dont|but|stop|if|how|what|when|is)\b)\S+( \S+)?$/u.test(sentence)
  );
}

/** Words about holidays in English. A message with one of them needs no question. */
const ENGLISH =
  /\b(the|is|are|it|was|what|how|when|where|which|does|do|did|with|and|for|from|or|you|this|that|there|they|have|has|we|not|yet|flights?|price|prices|holiday|cheap|expensive|nice|lovely|great|good|amazing|cool|brilliant|got|had|she|us|our|birthday|if|but|just|thanks|thank|sorry|much|any|please|hi|hello|hey|hiya|love|wow|lol|haha|omg|morning|night|weekend|week|year|month|january|february|march|april|may|june|july|august|september|october|november|december|airport|hotel|room|bags?|luggage|pool|beach|view|breakfast|kids|people|adults|inclusive|later|maybe|dates?|yes|still|looking|thinking|tomorrow|today|off|free)\b/;

function otherwise({ sentence, meant }: Reading, { words }: FoldedMessage): 'none' | 'ask' {
  return meant !== sentence || ENGLISH.test(words.join(' ')) ? 'none' : 'ask';
}

/** Reads a message that has emoji only. */
function readSigns({ signs, isQuestion }: FoldedMessage, text: string): Command {
  if (signs.has('stop')) return { kind: 'stop' };
  if (signs.has('no')) return { kind: 'no' };
  if (signs.has('yes')) return { kind: 'yes' };
  return isQuestion || /^[\s?？]+$/u.test(text) ? { kind: 'help' } : { kind: 'none' };
}
