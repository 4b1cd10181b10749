import { YES_PHRASES } from './english-commands.ts';
import type { FoldedMessage } from './fold-message.ts';
import { NO_ELSEWHERE, YES_ELSEWHERE } from './language-rules.ts';
import { applies } from './pattern.ts';

const words = (list: string) => new Set(list.split(' '));

const NO_WORDS = words('no nope nah na noo nop naw never negative nay');
const BESIDE_NO = words(
  'no nope nah naw nay not me it wasnt was i thanks thank you didnt isnt this that is please sorry ta x mate pal love duck xx all ok okay hun am are good right alright',
);
const BESIDE_YES = words('please thanks thank you ok x xx xxx love mate ta now lovely great');
const MEANT_AS_NO =
  /^(not me|it wasnt me|wasnt me|that wasnt me|not today|id rather not|i would rather not|rather not)\b/;

/** The answer to a question. A longer sentence that begins with one is not it: 'yes it is lovely there'. */
export function yesOrNo(
  message: { sentence: string; plain: string; clauses: readonly string[] },
  { signs, isQuestion }: FoldedMessage,
): 'yes' | 'no' | null {
  const { sentence, plain, clauses } = message;
  const said = sentence.split(' ');
  const isYes = (text: string) =>
    applies(YES_PHRASES, text) || YES_ELSEWHERE.some((rule) => applies(rule, text));
  if (!isQuestion && !signs.has('no')) {
    if (isYes(sentence) || isYes(plain)) return 'yes';
    // 'Yes, thank you. Margaret'
    const [first = '', ...rest] = clauses;
    const [last = ''] = rest.slice(-1);
    if (isYes(first) && rest.slice(0, -1).every(isCourtesy) && (isCourtesy(last) || isSignature(last)))
      return 'yes';
  }
  if (NO_ELSEWHERE.some((rule) => applies(rule, plain))) return 'no';
  const isNo = NO_WORDS.has(said[0] ?? '') || MEANT_AS_NO.test(sentence);
  if (isNo && (said.length <= 2 || said.every((word) => BESIDE_NO.has(word) || NO_WORDS.has(word))))
    return 'no';
  return signs.has('yes') && said.length <= 3 && said.every((word) => BESIDE_YES.has(word)) ? 'yes' : null;
}

function isCourtesy(clause: string): boolean {
  return clause.split(' ').every((word) => BESIDE_YES.has(word));
}

/** A name below the message. */
export function isSignature(clause: string): boolean {
  return /^(?!(no|not|dont|but|stop|if|how|what|when|is)\b)\S+( \S+){0,2}$/u.test(clause);
}
