/** The command in a person's message. */
export type InboundCommand =
  | { kind: 'start'; isExplicit: boolean }
  | { kind: 'stop' }
  | { kind: 'stop-one'; number: number }
  | { kind: 'list' }
  | { kind: 'help' };

/** First words that mean STOP, with common misspellings. A missed one would leave somebody's alerts running. */
const STOP_WORDS = new Set([
  'stop',
  'stopp',
  'stops',
  'stopall',
  'stopped',
  'stoop',
  'sotp',
  'st0p',
  'stpo',
  'unsubscribe',
  'unsubscribed',
  'unsubcribe',
  'unsuscribe',
  'unsub',
  'cancel',
  'end',
  'quit',
  'optout',
  'remove',
  'arret',
  'arreter',
  'basta',
  'alto',
]);

const STOP_PHRASES = [
  /\bopt(ing)? (me )?out\b/,
  /\b(please|pls|plz|just) stop\b/,
  /\bstop (it|this|that|now|please|pls|plz|all|everything|sending|messaging|texting|writing|contacting|spam\w*|them|these|alerts?|messages?)\b/,
  /\b(un ?subscribe|take|remove|delete) (me|my number)\b/,
  /\bleave me alone\b/,
  /\b(do not|dont|never) (message|text|contact|write|send)\b/,
  // Up to three words before it, such as 'yes stop' or 'hi, unsubscribe'.
  /^(?!dont )(\w+ ){0,3}(stop|unsubscribe)( \w+)?$/,
  /\bno more (messages?|alerts?|texts?|spam)\b/,
  /\bwrong (number|person)\b/,
  // A whole answer to the confirmation request.
  /^(no|nope|nah|no thanks?|no thank you|not me|not interested)$/,
];

const YES_WORDS = new Set([
  'yes',
  'y',
  'yeah',
  'yep',
  'yup',
  'yea',
  'yess',
  'yesplease',
  'ok',
  'okay',
  'confirm',
  'confirmed',
  'sure',
]);
const START_WORDS = new Set(['start', 'restart', 'unstop', 'subscribe', 'resume']);
const LIST_WORDS = new Set(['list', 'watches', 'alerts']);

/**
 * Parses a message: STOP, STOP and a watch's number, YES, START or LIST. Anything else is a request for help. Case,
 * accents, punctuation, emoji and invisible characters are ignored. An ambiguous message is a STOP.
 */
export function parseInboundCommand(text: string): InboundCommand {
  const words = plainWords(text);
  const [first = '', second = '', ...more] = words;
  const sentence = words.join(' ');
  const one = /^(?:stop|cancel|end|remove) ?(?:watch |number |no |alert )?(\d{1,4})$/.exec(sentence);
  if (one !== null) return { kind: 'stop-one', number: Number(one[1]) };
  if (STOP_WORDS.has(first) || STOP_WORDS.has(first + second)) return { kind: 'stop' };
  if (spelledOut(words) === 'stop' || STOP_PHRASES.some((phrase) => phrase.test(sentence)))
    return { kind: 'stop' };
  if (START_WORDS.has(first) && more.length === 0) return { kind: 'start', isExplicit: true };
  if (YES_WORDS.has(first) && !words.includes('no') && !words.includes('not'))
    return { kind: 'start', isExplicit: false };
  if (LIST_WORDS.has(first) || sentence === 'what am i watching') return { kind: 'list' };
  return { kind: 'help' };
}

/** The words of the message, in lower case, with full-width and bold letters converted to plain ones. */
function plainWords(text: string): string[] {
  return text
    .slice(0, 1_000)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '');
}

/** Joins 's t o p' and 'S.T.O.P.' into one word. */
function spelledOut(words: readonly string[]): string {
  return words.every((word) => word.length === 1) ? words.join('') : '';
}
