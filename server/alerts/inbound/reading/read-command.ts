import type { Command } from './command.ts';
import { DELETES, HELPS, KEEPS, LISTS } from './english-commands.ts';
import { MAY_BE_STOP } from './english-doubts.ts';
import { OTHER_MEANINGS } from './english-other-meanings.ts';
import { DELIGHT, MAY_BE_DELIGHT, ONLY_SAYS_STOP, SAYS_STOP } from './english-stops.ts';
import { type FoldedMessage, foldMessage } from './fold-message.ts';
import {
  DELETES_ELSEWHERE,
  HELPS_ELSEWHERE,
  LISTS_ELSEWHERE,
  MAY_BE_STOPS_ELSEWHERE,
  ONLY_STOPS_ELSEWHERE,
  STOPS_ELSEWHERE,
} from './language-rules.ts';
import { LANGUAGES } from './languages.ts';
import { applies, type Rule } from './pattern.ts';
import { readPayload } from './payloads.ts';
import { isStart } from './read-start.ts';
import { correctSpelling } from './spelling.ts';
import { watchNumbers } from './watch-numbers.ts';
import { yesOrNo } from './yes-or-no.ts';

const OTHER_MEANINGS_ELSEWHERE = LANGUAGES.flatMap(({ otherMeanings }) => otherMeanings);

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

/** A message or a clause of it, as the rules see it. */
interface Reading {
  /** In English, spelled as a careful writer would. */
  sentence: string;
  /** The sentence without phrases in which a stop word means something else. */
  meant: string;
  /** The words as they were written, for other languages, without such phrases. */
  plain: string;
  /** Whether there were no such phrases. */
  isWhole: boolean;
}

function readText(text: string): Command {
  const folded = foldMessage(text);
  if (folded.words.length === 0) return readSigns(folded, text);
  const whole = readingOf(folded.words);
  const clauses = folded.clauses.length > 1 ? folded.clauses.map(readingOf) : [];
  const message = { ...whole, clauses: clauses.map(({ sentence }) => sentence) };

  const one = watchNumbers(whole.sentence);
  if (one !== null) return { kind: 'stop-one', numbers: one };
  if (isStart({ ...message, isQuestion: folded.isQuestion })) return { kind: 'start' };
  if (applies(DELETES, whole.meant) || anyApplies(DELETES_ELSEWHERE, whole.plain)) return { kind: 'delete' };
  if (applies(KEEPS, whole.sentence)) return { kind: 'keep' };
  const stop = readStop([whole, ...clauses], folded);
  if (stop !== null) return { kind: stop };
  if (applies(LISTS, whole.sentence) || anyApplies(LISTS_ELSEWHERE, whole.plain)) return { kind: 'list' };
  if (mayBeStop([whole, ...clauses])) return { kind: 'stop?' };
  if ([whole, ...clauses].some(asksForHelp)) return { kind: 'help' };
  return { kind: (whole.isWhole ? yesOrNo(message, folded) : null) ?? 'neither' };
}

function readingOf(words: readonly string[]): Reading {
  const sentence = correctSpelling(words);
  const meant = without(OTHER_MEANINGS, sentence);
  const written = words.join(' ');
  const plain = without(OTHER_MEANINGS_ELSEWHERE, written);
  return { sentence, meant, plain, isWhole: meant === sentence && plain === written };
}

function without(phrases: readonly RegExp[], sentence: string): string {
  let left = sentence;
  for (const phrase of phrases) left = left.replace(phrase, ' ');
  return left.replace(/\s+/g, ' ').trim();
}

function anyApplies(rules: readonly Rule[], words: string): boolean {
  return rules.some((rule) => applies(rule, words));
}

/** 'I told you to stop last year but I would like them again' */
const WANTS_BACK =
  /(?<!(dont|not|never) )\b(put|have|get|start|restart|turn|switch|sign|like|want) (me|it|them|these|us|(my|the) \w+)( \w+)? (back|again)\b|(?<!(dont|not|never) )\brestart (it|them|these)\b/;

/** 'Cancel the Tenerife alert but keep the Greece one' */
const KEEPS_SOME =
  /\b(but|and) (just )?(keep|leave) (the|my|our) (\w+ ){0,2}(ones?|alerts?|watch|others?|rest)\b/;

/** Whether the message or one of its clauses says STOP. */
function readStop(readings: readonly Reading[], folded: FoldedMessage): 'stop' | 'stop?' | null {
  const [whole] = readings;
  if (whole === undefined) return null;
  const isPartly = WANTS_BACK.test(whole.meant) || KEEPS_SOME.test(whole.meant);
  if (readings.some(saysStop)) return isPartly ? 'stop?' : 'stop';
  const only = readings.filter(isOnlyStop);
  if (only.length > 0) return isPartly || isDelight(only, whole.sentence, folded) ? 'stop?' : 'stop';
  const isBare = folded.words.length <= 2 && whole.isWhole;
  return folded.signs.has('stop') && isBare && !applies(LISTS, whole.sentence) ? 'stop' : null;
}

function saysStop({ meant, sentence, plain }: Reading): boolean {
  return applies(SAYS_STOP, meant) || (sentence === meant && anyApplies(STOPS_ELSEWHERE, plain));
}

/** Without phrases of other meanings: 'dont stop' leaves nothing that could be read. */
function isOnlyStop({ sentence, plain, isWhole }: Reading): boolean {
  if (!isWhole || /^(was|does|did|when|which|is (?!there (a|any) way|it possible))\b/.test(sentence))
    return false;
  return applies(ONLY_SAYS_STOP, sentence) || anyApplies(ONLY_STOPS_ELSEWHERE, plain);
}

/** 'stop it, that is so cheap' is no stop. */
function isDelight(
  only: readonly Reading[],
  sentence: string,
  { signs, isQuestion }: FoldedMessage,
): boolean {
  const mayBe = only.some(({ meant }) => applies(MAY_BE_DELIGHT, meant));
  const isBare = only.some(({ sentence: clause }) => clause === sentence);
  return (
    mayBe &&
    (applies(DELIGHT, sentence) || signs.has('delight') || /\d{2}/.test(sentence) || (isQuestion && !isBare))
  );
}

function mayBeStop(readings: readonly Reading[]): boolean {
  return readings.some(
    ({ meant, plain }) => applies(MAY_BE_STOP, meant) || anyApplies(MAY_BE_STOPS_ELSEWHERE, plain),
  );
}

function asksForHelp({ sentence, plain }: Reading): boolean {
  return applies(HELPS, sentence) || anyApplies(HELPS_ELSEWHERE, plain);
}

/** Emoji without words. */
function readSigns({ signs, isQuestion }: FoldedMessage, text: string): Command {
  if (signs.has('stop')) return { kind: 'stop' };
  if (signs.has('no')) return { kind: 'no' };
  if (signs.has('yes')) return { kind: 'yes' };
  return isQuestion || /^[\s?？]+$/u.test(text) ? { kind: 'help' } : { kind: 'neither' };
}
