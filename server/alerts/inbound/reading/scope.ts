import type { CalendarDate } from '../../../../domain/calendar-date.ts';
import { foldText } from '../../../../domain/fold-text.ts';
import type { Command } from './command.ts';
import { findDate } from './dates.ts';
import { ENGLISH } from './english-words.ts';
import { foldMessage } from './fold-message.ts';
import { applies, compileRules } from './pattern.ts';
import { correctSpelling } from './spelling.ts';

/** A watch and the names that people use for it: its hotel, resort, region, country and day of departure. */
export interface NamedWatch {
  number: number;
  names: readonly string[];
  departure: CalendarDate | null;
}

/** Limits a stop to one watch if the message names that watch or its date. */
export function scopeCommand(command: Command, text: string, watches: readonly NamedWatch[]): Command {
  const isStop = command.kind === 'stop' || command.kind === 'ask';
  if (watches.length === 0 || (!isStop && command.kind !== 'none')) return command;
  const said = correctSpelling(foldMessage(text).words);
  const mayEnd =
    isStop ||
    mentionedIn(said, watches).some((one) => applies(MAY_END_NAMED, one.text)) ||
    applies(ENDS_DATED, findDate(said, NAME)?.text ?? '');
  if (!mayEnd) return command;
  const scope = readScope(text, watches);
  if (scope.kind === 'one' && (command.kind === 'stop' || !IS_NEWS.test(text)))
    return { kind: 'stop-one', numbers: [scope.number] };
  return isStop && scope.kind === 'all' ? command : { kind: 'ask' };
}

/** What a stop is about: everything, the watch with a number, or an unclear choice. */
type Scope = { kind: 'all' } | { kind: 'one'; number: number } | { kind: 'unclear' };

const rules = compileRules({
  ...ENGLISH,
  dated: 'one ones alert alerts watch holiday holidays trip deal package',
});

/** Stands for the name of a watch in the rules below. */
const NAME = 'zznamezz';

/** The name stands for alerts, not just a trip: 'stop the Malta one', 'no more about Malta'. */
const IS_ABOUT_NAME = rules([
  `<stop>|<weak-stop>|<texting>|take|ditch|off|from|for|to|about|on|of|in|watching|tracking|at|alert|alerts|messages|want|need|just|only the|my|that|your|me|hotel|resort|just|only* ${NAME}`,
  `${NAME} hotel|resort|holiday|trip|price|deal|island? alert|alerts|watch|one|ones|deal|deals|holiday|messages|texts|notifications|updates|off|trip|please off? please? $`,
]);

/** 'Malta stop', 'the Malta alert - stop' */
const IS_NAME_AND_STOP = rules([`^ the|my* ${NAME} one|ones|alert|alerts* <stop> <polite>* $`]);

/** A stop of everything, even if the message also names a watch. */
const IS_ABOUT_ALL = rules([
  `<texting> <me>? !<me>|about|for|on|of|when|the|at|${NAME}`,
  'unsubscribe <me> !from',
  '^ <polite>* stop|unsubscribe <polite>* i|we|because|as .{0,5} going|gone|went|been|booked|flying',
  'leave <me> alone',
  '<own> off|from your|the|this list',
  'remove|delete|take my|this number',
  'stop|cancel|end|off|from all|everything|all_of !but|except|about|for',
]);

/** Ends a watch without a stop word: 'not the Malta one', 'the Malta one can go'. */
const MAY_END_NAMED = rules([
  `^ <polite>* not|only|just the|my* ${NAME} one|ones|alert|alerts|deal|deals|holiday|<polite>* $`,
  `bin|ditch|scrap|drop|dump|lose|take|only_want|just_want|only_need|dont_want|dont_need|dont_fancy|no_longer_need|no_longer_want|get_rid_of|finished_with|gone_off|went_off the|my|that* ${NAME} !prices|price|to`,
  `${NAME} one|ones|alert|alerts|holiday|trip? can_go|off|is_off|is_out|not_needed|not_wanted`,
]);

/** The date stands for an alert: 'stop the May one', 'the alert for 14 May'. */
const IS_ABOUT_DATE = rules([
  `<stop>|<weak-stop> the|my|for|on|from* ${NAME}`,
  `<dated> on|for|in|of|from|leaving|departing|flying|going|the* ${NAME}`,
  `${NAME} <dated>`,
]);

/** A stop only if it names a date: 'cancel the holiday on 14 May'. */
const ENDS_DATED = rules([
  `^ <polite>* i_want_to|i_would_like_to|i_need_to? <stop>|<weak-stop> the|my|that|our|<dated>|on|for|in|of|from|leaving|departing|flying|going* ${NAME} <dated>? <polite>* $`,
]);

/** News that names a place, not a stop of its watch: 'Just booked a taxi in Malta'. It may still mean STOP. */
const IS_NEWS = /^(?!.*\b(stop|cancel|end|remove|off|don'?t|no|not)).*\b(booked|weeks?|days?|going|been)\b/i;

/** Names a place or hotel that the person does not watch: 'cancel the Malta alert'. */
const NAMES_ANOTHER = rules([
  '<stop>|<weak-stop>|can_you_cancel just|only|the|my|that|me|from* <det>* !<det>|<message>|<pronoun>|<polite>|<own> .{1,2} alert|alerts|watch|one|ones',
  'alert|alerts|watch|notifications|watching|tracking for|to|about|in the|hotel? !<det>|<message>|<pronoun>|<polite>|<me>|<own>|good|now|ever|a|holidays|deals|free|long .',
]);

/** Names what to keep: 'The others are fine', 'but keep the Malta one'. */
const STAYS =
  /\b(but |and )?((please |just |can you )*(keep |leave (?!me|us|him|her|it|off|my (phone|number))(?=.*\b(on|ones?|alerts?|rest|others?)\b)).*|((the|all the|my) )?(others?|rest|other (ones?|alerts?)) (are|is|can|should|to) (\w+ )?(fine|ok|okay|stay|good|on|great|useful|welcome))\b.*$/;

const IS_BARE_STOP = /^(please |just |now )*(stop|unsubscribe|cancel|end|quit)( please| now| thanks| all)*$/;

/** Refers to a watch named elsewhere in the message: 'we have booked Benidorm, cancel that one'. */
const THAT_ONE = /\b(stop|cancel|end|remove) (that|this) (one|alert|watch)\b/;

/** Makes it unclear which watches a stop is about: 'all but Malta', 'only want Malta', 'the others'. */
const EXCEPT =
  /\b((all|everything|any|anything) (but|except|apart|bar)|except|apart from|other than|rather than|(?<!booked .*)instead|(only|just|still) (want|need|like|keep|interested|watch)|the (rest|others?)|(want|need) only|not the)\b/;

/** What a stop is about. */
function readScope(text: string, watches: readonly NamedWatch[]): Scope {
  const { words, clauses } = foldMessage(text);
  const said = correctSpelling(words);
  const [only, ...others] = mentionedIn(said, watches).filter((one) => applies(IS_NAME_AND_STOP, one.text));
  if (only !== undefined && others.length === 0) return { kind: 'one', number: only.number };
  if (clauses.some((clause) => IS_BARE_STOP.test(clause.join(' ')))) return { kind: 'all' };
  const stopping = said.replace(STAYS, ' ').trim();
  const isPartly = stopping !== said;
  if (EXCEPT.test(stopping) || (/\bboth\b/.test(stopping) && watches.length > 2)) return { kind: 'unclear' };
  const mentioned = mentionedIn(stopping, watches);
  const [first] = mentioned;
  const date = findDate(stopping, NAME);
  if (date !== null && applies(IS_ABOUT_DATE, date.text)) {
    const named =
      first === undefined
        ? watches
        : watches.filter(({ number }) => mentioned.some((one) => one.number === number));
    const [one, ...more] = named.filter(({ departure }) => departure !== null && date.isOn(departure));
    return one !== undefined && more.length === 0 && findDate(date.text, NAME) === null
      ? { kind: 'one', number: one.number }
      : { kind: 'unclear' };
  }
  const isThatOne = watches.length > 1 && THAT_ONE.test(stopping);
  const isNamed = isThatOne || mentioned.some(({ text }) => applies(IS_ABOUT_NAME, text));
  if (first !== undefined && isNamed && !applies(IS_ABOUT_ALL, first.text))
    return mentioned.length === 1 ? { kind: 'one', number: first.number } : { kind: 'unclear' };
  return {
    kind: isThatOne || isPartly || (!isNamed && applies(NAMES_ANOTHER, stopping)) ? 'unclear' : 'all',
  };
}

/** Words that occur in the names of many hotels and places, so they identify none. */
const COMMON = new Set(
  `hotel hotels resort apartments apartment aparthotel apartamentos beach spa club palace playa park villa villas suites
  inn house garden gardens the de del la las los el and by all inclusive adults only island islands costa san santa
  royal grand star sea view bay sun golf family princess mar`.split(/\s+/),
);

interface Mention {
  number: number;
  /** The text with `NAME` in place of the name. */
  text: string;
  /** The index of the mentioned name among the watch's names. 0 is its hotel. */
  rank: number;
}

/** The watches that a text mentions. 'Hotel Sol in Benidorm' does not mention other hotels in Benidorm. */
function mentionedIn(text: string, watches: readonly NamedWatch[]): Mention[] {
  const mentions = watches.flatMap(({ number, names }) => {
    const rank = names.findIndex((name) => markName(text, name) !== text);
    return rank < 0 ? [] : [{ number, text: markName(text, names[rank] ?? ''), rank }];
  });
  const best = Math.min(...mentions.map(({ rank }) => rank));
  return /\b(and|both)\b/.test(text) ? mentions : mentions.filter(({ rank }) => rank === best);
}

/** Replaces a name in the text by `NAME`: the whole name, or the words that distinguish it. */
function markName(text: string, name: string): string {
  const words = foldText(name).split(' ');
  const own = words.filter((word) => word !== 'hotel');
  const telling = own.filter((word) => !COMMON.has(word));
  const phrases = [words, own, telling, ...telling.filter(({ length }) => length >= 4).map((word) => [word])];
  for (const phrase of phrases.map((each) => correctSpelling(each))) {
    const at = ` ${text} `.indexOf(` ${phrase} `);
    if (phrase !== '' && at >= 0) return `${text.slice(0, at)}${NAME}${text.slice(at + phrase.length)}`;
  }
  return text;
}
