/** Short forms, as people write on a phone or in dialect, by their meaning. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  please: 'pls plz plse pleas pleez pleeze pleaze',
  thanks: 'thx tx thanx tnx thnx ty cheers ta thankx thanku thankyou',
  you: 'u yous youse yiz yez ya yu yo',
  your: 'ur yer yor yr',
  are: 'r',
  and: 'n nd',
  'i am': 'im ahm',
  'i have': 'ive',
  'i would': 'id',
  i: 'ah aw',
  'you are': 'youre ure',
  'you have': 'youve',
  'you will': 'youll',
  'it is': 'its tis',
  'that is': 'thats dats',
  'what is': 'whats wots',
  'who is': 'whos',
  'they are': 'theyre',
  'we have': 'weve',
  'there is': 'theres',
  have: 'av hav ave',
  with: 'wiv wid wi',
  what: 'wot wat wut',
  this: 'dis thiss',
  these: 'dese theez thees theese thise theas',
  them: 'em dem',
  the: 'teh thee dah',
  me: 'mee',
  my: 'mah ma',
  us: 'iz uz',
  take: 'tek tak',
  give: 'gie gi',
  'give us': 'gizz gis gies geez',
  message: 'msg mesage messge',
  messages: 'msgs mesages msages messagez',
  messaging: 'msging mesaging',
  text: 'txt tex',
  texts: 'txts txtz textz',
  texting: 'txting txtin txtn',
  notifications: 'notifs notis',
  anything: 'owt anythin anyfink',
  nothing: 'nowt nuffin nuthin nothin nuffink',
  no: 'nae nee nope nah',
  more: 'mair mor moar mre mo',
  again: 'agen agn agin agane agian',
  dont: 'dnt donot dinnae dinna divvent divvn divvnt divent dunt dunna donny doont dony',
  didnt: 'didnae didn dint',
  cant: 'carnt cannae cannot',
  wont: 'wullnae willnae winnae',
  isnt: 'isnae int',
  'going to': 'gonna gunna',
  'want to': 'wanna',
  'got to': 'gotta',
  want: 'wnt wan whant wnat',
  'no more': 'nomore',
  'any more': 'anymore nemore animore anymoar anylonger',
  'no longer': 'nolonger',
  'not interested': 'notinterested uninterested',
  'no thanks': 'nothanks nothankyou nty',
  'non stop': 'nonstop',
  'opt out': 'optout optingout',
  opt: 'opted opting opts',
  unsubscribe: `
    unscribe unsuscribe uns unsub unenroll unenrol unsubs unsubscribed unsubscription unsubscribing unregister unfollow
    deregister unsubbed deregistered desubscribe`,
  resubscribe: 'resub resubscribing',
  number: 'num nmbr numba',
  phone: 'fone fon phn',
  because: 'cos cuz coz bcos becos bcuz cause',
  just: 'jus jst',
  told: 'tould telt',
  enough: 'enuff enuf',
  'get off': 'gerroff geroff',
  stop: 'stap stawp stahp staph',
  off: 'orf offf',
  already: 'alredy allready',
  yes: 'tes okey okie definately defo yws yed yrs ues ye yh yse eys yeah yep yup yea yah yess yas aye yessir yesplease',
  fucking: 'fkn fkin fking fuckin effing feckin fukin frigging',
  bloody: 'bldy bloomin blooming chuffing sodding flippin flipping flaming bleeding ruddy',
  'piss off': 'pissoff',
  fuck: 'fuk fk feck',
  does: 'dus duz',
  bother: 'bovver',
  to: 'tae',
  sorry: 'soz sry',
  spain: 'spanish',
  greece: 'greek',
  turkey: 'turkish turkiye',
  majorca: 'mallorca',
};

const WORDS = new Map(
  Object.entries(WRITTEN_AS).flatMap(([meant, forms]) =>
    forms
      .trim()
      .split(/\s+/)
      .map((form) => [form, meant] as const),
  ),
);

/** The full spelling of a short form; null for other words. */
export function shortForm(word: string): string | null {
  return WORDS.get(word) ?? null;
}

/** Phrases to replace by one word, in this order. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(s top|st op|sto p)\b|\b(stop){2,}\b/g, 'stop'],
  [/\b(top|sop|sto|tsop|shop) (?=(sending|texting|messaging|contacting|spamming)\b)/g, 'stop '],
  // Punctuation as phones dictate it
  [/ (full stop|comma|exclamation mark|question mark)(?= |$)/g, ''],
  [/\b(pls|plz|please|just)stop\b/g, 'stop'],
  [
    /\bstop(now|pls|please|it|this|these|all|me|messaging|texting|sending|messages|texts|alerts|spamming)(me|us|now|it|these|this|pls|please|all)?\b/g,
    'stop $1 $2',
  ],
  [/\bdo (not|nt|no)\b|\bdon t\b/g, 'dont'],
  [/\b(did|is|was|have|would) not\b/g, '$1nt'],
  [/\bcan not\b/g, 'cant'],
  [/\bwill not\b/g, 'wont'],
  [/\bi m\b/g, 'i am'],
  [/\bun stop\b/g, 'unstop'],
  [/\bun unsubscribe\b/g, 'resubscribe'],
  [/\bany (longer|mair|mare)\b|\b(ne|ny) more\b/g, 'any more'],
  [/\bno (mare|mair)\b/g, 'no more'],
  [/\bun (subscribe|sub|follow|enroll)\b|\bde (register|subscribe)\b/g, 'unsubscribe'],
  [/\bre (subscribe|sub)\b/g, 'resubscribe'],
  [/\bre (start|activate|enable|instate|join|sume)\b/g, 're$1'],
  [/\bopt (me|us|this number|my number|my phone) out\b|\bopt out of\b/g, 'opt out'],
  [
    /\b(can|will|could|would) you not (?=stop|end|leave|take|remove|cancel|turn|switch|unsubscribe)/g,
    'please ',
  ],
  [/\b(can|will|could|would) you (please )?not\b|\b(gonnae|gonny) (no|not)\b/g, 'please dont'],
  [/\bwhy (dont|wont|cant|havent|didnt) you\b/g, 'please'],
  [/\b(\w+)( \1\b)+/g, '$1'],
];

/** Replaces the phrases, then removes repeated words. */
export function joinPhrases(sentence: string): string {
  const joined = PHRASES.reduce((said, [phrase, meant]) => said.replace(phrase, meant), sentence);
  return joined.replace(/ +/g, ' ').trim();
}
