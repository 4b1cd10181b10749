import { splitJoined } from './joined-words.ts';
import { joinPhrases, shortForm } from './text-speak.ts';

/** Long words of which a slip leaves no other word: up to two wrong letters from 8 letters, one below. */
const SLIPPERY =
  `unsubscribe cancel messages message messaging notifications interested subscription sending texting
  delete remove please number alerts contact contacting contacted spamming restart resume stopping anymore receive
  receiving bothering details information marketing permission consent resubscribe deactivate harassing
  pestering everything texts personal account thanks immediately removed`.split(/\s+/);

/** Words of everyday language that a slip in one of these would have to be told from. */
const OTHER_WORDS = new Set(
  `shop step spot top stow steep slop swop strop stomp drop crop prop stops stoke store story stock stone
  stood stuff start star stare smart stark starts state stat stand last lost lust lift mist fist least lists hist lit
  lisa held hell hello heap heal heals kelp helps whelp massage massages massaging numbers cancels removed remover
  deleted pleased lease release contract contracts contact contacts alert messenger cancun cancer sander lending
  bending mending tending pending spending vending testing resting nesting tenting resting remote renove deletes resumes
  bumper slumber lumber stepping shopping topping spotting hopping dropping interest interests sloping atop
  soap sop too tops to hop pop cop mop ship skip slip snip trip strip strap stamp stem stay sort spit sport short
  stout stupor stork unsubscribes fending wending rending quiet quite quilt quid suit unit exit edit list lisp subscribe
  subscribed subscribes reactivate reactivated quitting resubscribe subscriber text test tests tents amount consents content contents retail details
  detail received receives perceive deceive accounts thank tanks ranks texas received everyone marked market markets
  persona person assume rest resort restarts feeling dealing wetting alter alters stool troop messing missing sleep clients
  bathering gathering fathering mothering removes cancels sensing seeing ending texted exiting tasting letting
  lists staff stuff started tart scarf strata help hemp yelp self shelf left list lost post most host step shot stag
  stab slot spots stag stop soup shops slow stew show snow stun step sign six set say see yet yen yam yew yell`.split(
    /\s+/,
  ),
);

const SHORT_WORDS = ['stop', 'list', 'help', 'start'];

/** Short words of which only repeated letters are put right. */
const HELD_DOWN = [...SHORT_WORDS, 'quit', 'yes', 'no', 'ok', 'enough', 'me', 'them'];

/** Words that people write without their vowels: 'stp', 'cncl', 'rmv'. */
const SHORTENED = new Map(
  `stop text texts texting message messages messaging cancel remove number alerts unsubscribe delete contact send
  sending please list help start notifications`
    .split(/\s+/)
    .map((word) => [withoutVowels(word), word]),
);

/** Words of which the last g is often left out. Others in '-in' may be names. */
const GERUNDS = new Set(
  `texting messaging sending stopping contacting bothering spamming pestering getting receiving wanting doing calling
  ringing writing harassing hassling bugging annoying pinging buzzing bombarding hounding nagging emailing taking asking
  saying telling going driving turning switching removing cancelling ending coming keeping using wasting winding
  starting watching tracking having making booking alerting selling phoning`.split(/\s+/),
);

/**
 * The words as a careful writer would spell them: short forms and dialect written out, joined words taken apart, letters
 * that were held down, left out or swapped put right.
 */
export function correctSpelling(words: readonly string[]): string {
  // In a longer message a word close to STOP may be another word.
  const fewest = words.length === 1 ? 3 : words.length <= 4 ? 4 : Number.POSITIVE_INFINITY;
  const corrected = words.map((word) => correctWord(word, fewest)).join(' ');
  return joinPhrases(joinPhrases(corrected));
}

/** `fewest`: the letters that a word needs for a slip to be put right in a short word. */
function correctWord(word: string, fewest: number): string {
  const short = shortForm(word);
  if (short !== null) return short;
  if (OTHER_WORDS.has(word) || /^\D+\d{1,4}$/.test(word)) return word;
  const plain = lettersOf(word);
  return (
    shortForm(plain) ?? heldDown(plain) ?? leftOut(plain) ?? apart(plain) ?? slip(plain, fewest) ?? plain
  );
}

/** 'stoppls' */
function apart(word: string): string | null {
  const parts = splitJoined(word);
  return parts === null ? null : parts.map((part) => shortForm(part) ?? part).join(' ');
}

/** 'stooop' and 'messagesss' */
function heldDown(word: string): string | null {
  const single = withoutRepeats(word);
  const known = [...SLIPPERY, ...HELD_DOWN].find((one) => withoutRepeats(one) === single);
  return known ?? (single === word ? null : shortForm(single));
}

/** 'stp' and 'sendin' */
function leftOut(word: string): string | null {
  if (word.endsWith('in') && GERUNDS.has(`${word}g`)) return `${word}g`;
  if (!/^[^aeiou]{3,}e?$/u.test(word)) return null;
  return SHORTENED.get(withoutVowels(word)) ?? null;
}

function slip(word: string, fewest: number): string | null {
  if (word.length >= 5 && word.length <= 15) {
    const close = SLIPPERY.find((known) => isWithin(word, known, known.length >= 8 ? 2 : 1));
    if (close !== undefined) return close;
  }
  if (fewest === 3 && word.length === 3 && isBesideOnKeyboard(word, 'yes')) return 'yes';
  if (isSwapped(word, 'stop') || isBesideOnKeyboard(word, 'stop')) return 'stop';
  if (word.length < fewest || word.length > 6) return null;
  return SHORT_WORDS.find((known) => isSlipOf(word, known)) ?? null;
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

function withoutVowels(word: string): string {
  return withoutRepeats(word.replace(/[aeiou]/g, ''));
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

/** Two neighbouring letters the wrong way round: 'stpo' */
function isSwapped(word: string, known: string): boolean {
  return (
    word.length === known.length &&
    [...word].sort().join('') === [...known].sort().join('') &&
    editsBetween(word, known) === 1
  );
}

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** One letter is its neighbour on the keyboard: 'yws' and 'dtop' */
function isBesideOnKeyboard(word: string, known: string): boolean {
  if (word.length !== known.length) return false;
  const wrong = [...known].findIndex((letter, index) => letter !== word[index]);
  if (wrong < 0 || word.slice(wrong + 1) !== known.slice(wrong + 1)) return false;
  return areNeighbours(word[wrong] ?? '', known[wrong] ?? '');
}

function areNeighbours(one: string, other: string): boolean {
  const [row, column] = keyOf(one);
  const [otherRow, otherColumn] = keyOf(other);
  return row >= 0 && otherRow >= 0 && Math.abs(row - otherRow) <= 1 && Math.abs(column - otherColumn) <= 1;
}

function keyOf(letter: string): [row: number, column: number] {
  const row = KEYBOARD.findIndex((keys) => keys.includes(letter));
  return [row, KEYBOARD[row]?.indexOf(letter) ?? -1];
}

function isWithin(word: string, known: string, edits: number): boolean {
  if (Math.abs(word.length - known.length) > edits) return false;
  return editsBetween(word, known) <= edits;
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
