import { shortForm } from './text-speak.ts';

/** Words that say what a message is about. A word is taken apart only if one of them is in it. */
const TELLING = new Set(
  `stop stopping unsubscribe cancel remove messages message messaging text texts texting texted alerts alert contact contacting sending send
  delete more interested longer wanted quit turn switch enough start again off list spam spamming notifications`.split(
    /\s+/,
  ),
);

/** Words that may stand beside them without a space. */
const BESIDE = new Set(
  `please pls plz just ok all it this these that them now me us my your the no not any dont do never want need you u i im
  to of on in out up for from and so everything thanks thankyou thx ta ffs opt back go get take leave alone away number
  phone data bloody fucking can could will yes yeah sorry mate already fuck piss sod bugger data off a`.split(
    /\s+/,
  ),
);

/** Words in which known words stand by chance. */
const WHOLE = new Set(
  `stopover stopovers unstop nonstop notification texture context contexts textile pretext alerted newsletter office offer offers
  offers listing listings listed offline coffee starting started starter starters restart startup cancellation cancelled
  cancelling sender messenger removed removal contactless contacts another together upmarket moreover anymore
  furthermore evermore forever whatever message messages contents alerting wholist offset offseason switched turned
  onlist setlist shortlist wishlist bucketlist spamalot altogether noalert`.split(/\s+/),
);

const LONGEST_WORD = 40;

/** The words of 'stopmessagingme'; null if the word is not made of known words. */
export function splitJoined(word: string): string[] | null {
  if (word.length < 5 || word.length > LONGEST_WORD || WHOLE.has(word) || isKnown(word)) return null;
  // The fewest words that make up the letters up to here.
  const best: (string[] | null)[] = [[]];
  for (let end = 1; end <= word.length; end += 1) {
    best[end] = null;
    for (let start = Math.max(0, end - 13); start < end; start += 1) {
      const before = best[start];
      const last = word.slice(start, end);
      if (before === null || before === undefined || !isKnown(last)) continue;
      const shortest = best[end];
      if (shortest === null || shortest === undefined || before.length + 1 < shortest.length)
        best[end] = [...before, last];
    }
  }
  const parts = best[word.length];
  if (parts === null || parts === undefined) return null;
  return parts.some((part) => TELLING.has(part)) ? parts : null;
}

function isKnown(word: string): boolean {
  return TELLING.has(word) || BESIDE.has(word) || (word.length >= 3 && shortForm(word) !== null);
}
