import { LANGUAGES, type Language, STOP_WORDS_ELSEWHERE } from './languages.ts';
import { compileRules, type Rule, type Template } from './pattern.ts';

/** What is the same in all languages. */
const STOPS: readonly Template[] = [
  '<ceasing> .{0,4} <contacting>|<messages>',
  '^ <polite>* stop .{0,2} <messages>',
  '<negation> .{0,3} <contacting>',
  '<contacting> .{0,3} <negation> <polite>* mehr|plus|mais|piu|mas|nunca? <polite>* $',
  '<negation> .{0,2} <wanting> .{0,4} <messages>|<contacting>',
  '<negation> .{0,2} <wanting> <receiving>',
  '<negation> <wanting> <polite>* $',
  '<noMore> .{0,2} <messages>',
  '<removing> <polite>* .{0,3} <person>',
];

/** Words that stand beside a command in any language. */
const SHARED = 'please pls plz thanks thx hi hello ok okay stop no yes all bot sms now x';

const rulesOf = (language: Language) => {
  const { stopWords, ceasing, contacting, messages, negation, wanting, receiving, noMore, removing, person } =
    language;
  const { yesWords, noWords } = language;
  const polite = `${language.polite} ${SHARED}`;
  return compileRules({
    stopWords,
    ceasing,
    contacting,
    messages,
    negation,
    wanting,
    receiving,
    noMore,
    removing,
    person,
    polite,
    yesWords,
    noWords,
  });
};

const eachLanguage = (templates: (language: Language) => readonly Template[]): Rule[] =>
  LANGUAGES.filter((language) => templates(language).length > 0).map((language) =>
    rulesOf(language)(templates(language)),
  );

export const STOPS_ELSEWHERE = eachLanguage(({ also }) => [...STOPS, ...also]);

/** A stop if nothing else stands beside it. */
export const ONLY_STOPS_ELSEWHERE = [
  ...eachLanguage(() => [
    '^ <polite>|<noWords>|<yesWords>* <stopWords>|stop <polite>|<stopWords>|<noWords>* $',
  ]),
  compileRules({ words: STOP_WORDS_ELSEWHERE })(['^ <words>{1,3} $']),
];

/** A stop word before a few words that no rule explains. */
export const MAY_BE_STOPS_ELSEWHERE = eachLanguage(() => ['^ <polite>* <stopWords> .{1,3} $']);

export const DELETES_ELSEWHERE = eachLanguage(({ deletes }) => deletes);
export const STARTS_ELSEWHERE = eachLanguage(({ starts }) => starts);
export const LISTS_ELSEWHERE = eachLanguage(({ lists }) => lists);
export const HELPS_ELSEWHERE = eachLanguage(({ helps }) => helps);
export const YES_ELSEWHERE = eachLanguage(({ yesWords, noWords }) =>
  yesWords === '' || noWords === '' ? [] : ['^ <polite>{0,2} <yesWords> <yesWords>|<polite>|confirm|do* $'],
);
export const NO_ELSEWHERE = eachLanguage(() => ['^ <polite>{0,2} <noWords> <noWords>|<polite>* $']);
