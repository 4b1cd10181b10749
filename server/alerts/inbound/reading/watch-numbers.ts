const NUMBER_WORDS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  '1st': 1,
  '2nd': 2,
  '3rd': 3,
  '4th': 4,
};

const STOP_ONE =
  /^(?:(?:please|can you|could you|hi|hello|yes|ok|just|now) )*(?:stop|cancel|end|remove|delete|unsubscribe|arret|stopp|parar)(?: (?:watching|from|for|of|me|messages|alerts))* ?(?:(?:watch|number|no|nr|num|alert|item|holiday|the|only|just|my|deal) )*((?:\d{1,4}|1st|2nd|3rd|4th|one|two|three|four|five|six|first|second|third|fourth)(?: (?:and |& )?(?:\d{1,4}|two|three|four|five|six))*)(?: (?:one|watch|alert|holiday|only|please|thanks|on the list|thank you|now))*$/;
const STOP_THIS =
  /^(?:please |can you |just )*(?:stop|cancel|end|remove|unsubscribe)(?: (?:watching|from|only|just))* (?:(?:this|that) (?:one|hotel|holiday|watch|alert|deal|trip|package)|(?:only|just) (?:this|that)(?: one)?|this one only)(?: (?:only|please|thanks|now))*$/;

/** The watches that a message ends: 'stop 2', 'stop 1 and 3', 'cancel the second one', 'stop this one'. */
export function watchNumbers(sentence: string): number[] | null {
  if (STOP_THIS.test(sentence)) return [];
  const joined = sentence.replace(/^(stop|cancel|end)(\d{1,4})$/, '$1 $2');
  const [, found] = STOP_ONE.exec(joined) ?? [];
  if (found === undefined) return null;
  const numbers = found
    .split(' ')
    .filter((word) => word !== 'and')
    .map((word) => NUMBER_WORDS[word] ?? Number(word));
  return [...new Set(numbers)];
}
