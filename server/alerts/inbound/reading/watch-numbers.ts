const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six'];
const ORDINALS = ['first', 'second', 'third', 'fourth'];

const STOP_NUMBERS =
  /^(?:(?:please|can you|could you|hi|hello|yes|ok|just|now) )*(?:stop|cancel|end|remove|delete|unsubscribe)(?: (?:watching|from|for|of|me|messages|alerts|watch|number|no|nr|alert|item|holiday|the|only|just|my|deal))* ?((?:\d{1,4}|[1-4](?:st|nd|rd|th)|one|two|three|four|five|six|first|second|third|fourth)(?: (?:and )?(?:\d{1,4}|two|three|four|five|six))*)(?: (?:one|watch|alert|holiday|only|please|thanks|on the list|thank you|now))*$/;
const STOP_THIS =
  /^(?:please |can you |just )*(?:stop|cancel|end|remove|unsubscribe|not interested in|no more of|no more about|dont want)(?: (?:watching|from|only|just))* (?:(?:this|that) (?:one|hotel|holiday|watch|alert|deal|trip|package)|(?:only|just) (?:this|that)(?: one)?)(?: (?:only|please|thanks|now|any more))*$/;

/**
 * The numbers of watches to end: 'stop 2', 'stop 1 and 3', 'cancel the second one'. Empty for 'stop this
 * one'; null for any other sentence.
 */
export function watchNumbers(sentence: string): number[] | null {
  if (STOP_THIS.test(sentence)) return [];
  const [, found] = STOP_NUMBERS.exec(sentence.replace(/^(stop|cancel|end)(\d{1,4})$/, '$1 $2')) ?? [];
  if (found === undefined) return null;
  return [
    ...new Set(
      found
        .split(' ')
        .filter((word) => word !== 'and')
        .map(numberOf),
    ),
  ];
}

function numberOf(word: string): number {
  const place = Math.max(NUMBER_WORDS.indexOf(word), ORDINALS.indexOf(word));
  return place >= 0 ? place + 1 : Number.parseInt(word, 10);
}
