/** How people write on a phone, and what they mean. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  pls: 'please',
  plz: 'please',
  plse: 'please',
  pleas: 'please',
  pleez: 'please',
  thx: 'thanks',
  tx: 'thanks',
  thanx: 'thanks',
  ty: 'thanks',
  cheers: 'thanks',
  ta: 'thanks',
  u: 'you',
  ur: 'your',
  r: 'are',
  msg: 'message',
  msgs: 'messages',
  mssgs: 'messages',
  txt: 'text',
  txts: 'texts',
  txting: 'texting',
  txtin: 'texting',
  msging: 'messaging',
  sendin: 'sending',
  textin: 'texting',
  messagin: 'messaging',
  wanna: 'want to',
  gonna: 'going to',
  im: 'i am',
  ive: 'i have',
  dnt: 'dont',
  donot: 'dont',
  dont: 'dont',
  doesnt: 'doesnt',
  didnt: 'didnt',
  nomore: 'no more',
  nonstop: 'non stop',
  ye: 'yes',
  notinterested: 'not interested',
  nothanks: 'no thanks',
  nothankyou: 'no thank you',
  anymore: 'any more',
  nolonger: 'no longer',
  optout: 'opt out',
  optingout: 'opt out',
  opted: 'opt',
  opting: 'opt',
  uns: 'unsubscribe',
  unsub: 'unsubscribe',
  unenroll: 'unsubscribe',
  unenrol: 'unsubscribe',
  unsubs: 'unsubscribe',
  unsubscribed: 'unsubscribe',
  unsubscription: 'unsubscribe',
  unsubscribing: 'unsubscribe',
  unregister: 'unsubscribe',
  unfollow: 'unsubscribe',
  unwatch: 'unsubscribe',
  deregister: 'unsubscribe',
  disenroll: 'unsubscribe',
  pics: 'pictures',
  rn: 'now',
  fone: 'phone',
  num: 'number',
  wtf: 'ffs',
  alertz: 'alerts',
  notifs: 'notifications',
  gdpr: 'gdpr',
};

/** Phrases of two words that mean one. */
const TWO_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bdo not\b/g, 'dont'],
  [/\bcan not\b|\bcannot\b/g, 'cant'],
  [/\bwill not\b/g, 'wont'],
  [/\bun subscribe\b/g, 'unsubscribe'],
  [/\bopt me out\b|\bopt us out\b|\bopt(ing)? out of\b/g, 'opt out'],
  [/\bany ?longer\b/g, 'any more'],
  [/\b(turn|switch|shut) (it|them|these|this|those|all|everything|me) off\b/g, '$1 off'],
  [/\bspot on\b/g, 'exactly'],
  [/\bwhy (dont|wont|cant|havent|didnt) you\b/g, 'please'],
  [/\b(stop){2,}\b/g, 'stop'],
];

/** Long words of which a slip leaves no other word: up to two wrong letters from 8 letters, one below. */
const SLIPPERY = [
  'unsubscribe',
  'cancel',
  'messages',
  'message',
  'messaging',
  'notifications',
  'interested',
  'subscription',
  'sending',
  'texting',
  'delete',
  'remove',
  'please',
  'number',
  'alerts',
  'contact',
  'contacting',
  'contacted',
  'spamming',
  'restart',
  'resume',
  'stopping',
];

/** Words of everyday language that a slip in one of these would have to be told from. */
const OTHER_WORDS = new Set(
  `shop step spot top stow steep slop swop strop stomp drop crop prop stops stoke store story stock stone
  stood stuff start star stare smart stark starts state stat stand last lost lust lift mist fist least lists hist lit
  lisa held hell hello heap heal heals kelp helps whelp massage massages massaging numbers cancels removed remover
  deleted pleased lease release contract contracts contact contacts alert messenger cancun cancer sander lending
  bending mending tending pending spending vending testing resting nesting tenting resting remote renove deletes resumes
  bumper slumber lumber stepping shopping topping spotting stooping hopping dropping interest interests sloping atop
  soap sop too tops to hop pop cop mop ship skip slip snip trip strip strap stamp stem stay sort spit sport short
  stout stupor stork unsubscribes fending wending rending quiet quite quilt quid suit unit exit edit list lisp subscribe subscribed subscribes resubscribe subscriber`.split(
    /\s+/,
  ),
);

/** Exact slips of STOP and other short words, beside those that the rules below find. */
const SHORT_WORDS = ['stop', 'list', 'help', 'start'];

/** Short words of which only repeated letters are put right. */
const HELD_DOWN = [...SHORT_WORDS, 'quit', 'yes', 'no', 'ok'];

/**
 * The words as a careful writer would spell them: short forms written out, letters that were held down or swapped put
 * right. `isShort` allows slips in words of four letters, which in a long text may be other words.
 */
export function correctSpelling(words: readonly string[]): string {
  const fewest = words.length === 1 ? 3 : words.length <= 4 ? 4 : Number.POSITIVE_INFINITY;
  let sentence = words.map((word) => correctWord(word, fewest)).join(' ');
  for (const [phrase, meant] of TWO_WORDS) sentence = sentence.replace(phrase, meant);
  return splitJoined(sentence);
}

/** `fewest`: the letters that a word needs for a slip to be put right in a short word. */
function correctWord(word: string, fewest: number): string {
  if (Object.hasOwn(SHORT_FORMS, word)) return SHORT_FORMS[word] ?? word;
  if (OTHER_WORDS.has(word) || /^\D+\d{1,4}$/.test(word)) return word;
  const plain = lettersOf(word);
  if (Object.hasOwn(SHORT_FORMS, plain)) return SHORT_FORMS[plain] ?? plain;
  const single = withoutRepeats(plain);
  for (const known of SLIPPERY) if (withoutRepeats(known) === single) return known;
  for (const known of HELD_DOWN) if (withoutRepeats(known) === single) return known;
  if (plain.length >= 5) {
    const close = SLIPPERY.find((known) => editsBetween(plain, known) <= (known.length >= 8 ? 2 : 1));
    if (close !== undefined) return close;
  }
  if (plain.length >= fewest && plain.length <= 6) {
    const close = SHORT_WORDS.find((known) => isSlipOf(plain, known));
    if (close !== undefined) return close;
  }
  return plain;
}

/** 'st0p' and 'ca11' with letters; a word of digits stays. */
function lettersOf(word: string): string {
  if (!/^(?=.*\p{L})[\p{L}\d]+$/u.test(word)) return word;
  return word.replaceAll('0', 'o').replaceAll('5', 's').replaceAll('3', 'e').replaceAll('1', 'l');
}

/** 'stooop' and 'stopp' are 'stop'. */
function withoutRepeats(word: string): string {
  return word.replace(/(.)\1+/gu, '$1');
}

/** One wrong, missing, extra or swapped letter. The first two letters cannot both be wrong. */
function isSlipOf(word: string, known: string): boolean {
  if (word.length < known.length - 1) return false;
  const sameStart = word[0] === known[0] || word[1] === known[1] || swapsStart(word, known);
  return sameStart && editsBetween(word, known) === 1;
}

function swapsStart(word: string, known: string): boolean {
  return word[0] === known[1] && word[1] === known[0];
}

const JOINED_STARTS = ['please', 'just', 'ok', 'pls', 'plz'];
const JOINED_ENDS =
  /^(all|it|this|these|that|now|please|pls|plz|alerts?|messages?|texts?|texting|messaging|sending|me|everything|them|spam|spamming|notifications|thanks|thankyou|thx)$/;

/** 'stopthis' is 'stop this', 'plsstop' is 'please stop'. */
function splitJoined(sentence: string): string {
  return sentence
    .split(' ')
    .map((word) => {
      const [, after] = /^(?:stop|stopp)([a-z]{2,})$/.exec(word) ?? [];
      if (after !== undefined && JOINED_ENDS.test(after)) return `stop ${SHORT_FORMS[after] ?? after}`;
      const [, before] = /^([a-z]+)stop$/.exec(word) ?? [];
      if (before !== undefined && JOINED_STARTS.includes(before)) return 'please stop';
      return word;
    })
    .join(' ');
}

/** The Damerau-Levenshtein distance: letters that are wrong, missing or extra, and neighbours that are swapped. */
export function editsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const last = rows[row - 1] ?? [];
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let edits = Math.min(
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) edits = Math.min(edits, (rows[row - 2]?.[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    rows.push(current);
  }
  return rows[one.length]?.[other.length] ?? 0;
}
