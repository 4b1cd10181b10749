import { editDistance, MAX_EDITS } from '../../../../domain/edit-distance.ts';
import { joinPhrases, shortForm } from './short-forms.ts';

/** Long words whose typing errors are corrected: up to two errors in words of 8 letters or more, else one. */
const LONG_WORDS = `
  unsubscribe cancel messages message messaging notifications interested subscription sending texting delete remove
  please number alerts contact contacting contacted spamming restart resume receive receiving bothering details
  information marketing permission consent resubscribe deactivate harassing pestering everything personal account
  thanks immediately`
  .trim()
  .split(/\s+/);

const SHORT_WORDS = ['stop', 'list', 'help', 'start'];

/** Short words in which only repeated letters are corrected: 'quitttt'. */
const HELD_DOWN = [...SHORT_WORDS, 'quit', 'yes', 'no', 'ok', 'enough', 'me', 'them', 'delete'];

const FROM_KNOWN = new Map(
  [...LONG_WORDS, ...SHORT_WORDS].map((known) => [known, editDistance(known, MAX_EDITS)]),
);

/** Everyday words that are not typing errors of the words above. */
const OTHER_WORDS = new Set(
  `shop step spot top stow steep slop swop strop stomp drop crop prop stops stoke store story stock stone stood stuff
  start star stare smart stark starts state stat stand last lost lust lift mist fist least lists hist lit lisa held
  hell hello heap heal heals kelp helps massage massages cancels removed lease release contract contracts contacts
  alert messenger cancun cancer lending bending mending tending pending spending resting nesting testing remote deletes
  bumper slumber lumber messing stepping shopping topping spotting hopping dropping interest interests soap sop too tops to hop
  pop cop mop ship skip slip snip trip strip strap stamp stem stay sort spit sport short stout snap snow stork quiet
  quite quilt suit unit exit edit subscribe subscribed reactivate subscriber text test tests tents deleted removed cancelled texted amount content
  contents detail retail received accounts thank tanks ranks texas everyone marked market markets person resort restarts
  feeling dealing alter alters stool troop missing clients gathering seeing ending texted tasting letting staff started
  scarf help hemp yelp self shelf left post most host shot stag stab slot spots soup slow stew show step sign set say`.split(
    /\s+/,
  ),
);

/** Words that people write without their vowels: 'stp', 'cncl', 'msgs'. */
const WITHOUT_VOWELS = new Map(
  'stop send sending text texts texting message messages cancel remove number alerts unsubscribe delete please help start'
    .split(' ')
    .map((word) => [withoutVowels(word), word]),
);

/** Verbs whose final g is often left out. */
const GERUNDS =
  /^(text|messag|send|stopp|contact|bother|spamm|pester|gett|receiv|want|harass|bugg|annoy|ask|keep|tak|turn|watch)in$/;

/** Corrects the spelling of words. */
export function correctSpelling(words: readonly string[]): string {
  return joinPhrases(joinPhrases(words.map((word) => correctWord(word, words.length)).join(' ')));
}

function correctWord(word: string, wordsInAll: number): string {
  const short = shortForm(word);
  if (short !== null) return short;
  if (OTHER_WORDS.has(word) || /^\D+\d{1,4}$/.test(word)) return word;
  const plain = lettersOf(word);
  return shortForm(plain) ?? heldDown(plain) ?? leftOut(plain) ?? slip(plain, wordsInAll) ?? plain;
}

/** Replaces digits by letters in 'st0p' and 'ca11', but not in numbers and '14th'. */
function lettersOf(word: string): string {
  if (!/^(?=.*\p{L})(?!\d+(st|nd|rd|th)$)[\p{L}\d]+$/u.test(word)) return word;
  return word.replaceAll('0', 'o').replaceAll('5', 's').replaceAll('3', 'e').replaceAll('1', 'l');
}

/** Corrects repeated letters: 'stooop', 'messagesss'. */
function heldDown(word: string): string | null {
  const single = withoutRepeats(word);
  const known = [...LONG_WORDS, ...HELD_DOWN].find((one) => withoutRepeats(one) === single);
  return known ?? (single === word ? null : shortForm(single));
}

/** Adds missing letters: 'stp', 'sendin'. */
function leftOut(word: string): string | null {
  if (GERUNDS.test(word)) return `${word}g`;
  return /^[^aeiou]{3,}e?$/u.test(word) ? (WITHOUT_VOWELS.get(withoutVowels(word)) ?? null) : null;
}

/**
 * Corrects a wrong, missing, extra or swapped letter. In a message of over four words, short words stay as they
 * are, because they may be right.
 */
function slip(word: string, wordsInAll: number): string | null {
  const editsTo = editCounter(word);
  if (word.length >= 5 && word.length <= 15) {
    const close = LONG_WORDS.find((known) => editsTo(known) <= (known.length >= 8 ? 2 : 1));
    if (close !== undefined) return close;
  }
  const fewest = wordsInAll === 1 ? 3 : 4;
  if (word.length < fewest || word.length > 6 || wordsInAll > 4) return null;
  return SHORT_WORDS.find((known) => hasSameStart(word, known) && editsTo(known) === 1) ?? null;
}

function hasSameStart(word: string, known: string): boolean {
  return word[0] === known[0] || word[1] === known[1] || word.startsWith(`${known[1]}${known[0]}`);
}

/** Counts the edits in both directions, because `editDistance` compares prefixes. */
function editCounter(word: string): (known: string) => number {
  const toPrefixOf = editDistance(word, MAX_EDITS);
  return (known) => Math.max(toPrefixOf(known), FROM_KNOWN.get(known)?.(word) ?? 0);
}

function withoutRepeats(word: string): string {
  return word.replace(/(.)\1+/gu, '$1');
}

function withoutVowels(word: string): string {
  return withoutRepeats(word.replace(/[aeiou]/g, ''));
}
