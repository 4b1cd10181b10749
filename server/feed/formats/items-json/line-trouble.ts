/** Why a line is not one JSON item. */
export interface LineTrouble {
  /** Follows the line's number in a sentence. */
  reason: string;
  /**
   * If the feed ends with this line, without a newline. `cut off`: it is the beginning of an item. `in doubt`: it has
   * another fault, and more may be missing.
   */
  end: 'whole' | 'cut off' | 'in doubt';
}

const ARRAY =
  "is a JSON array: put each of its items on a line of its own, without brackets and commas, for example with jq -c '.[]'";
const SEVERAL = 'has more than one JSON item: put each on a line of its own, for example with jq -c .';
const SEVERAL_WITH_COMMAS =
  "has more than one JSON item, with commas between them: put each on a line of its own, without commas, for example with sed 's/.*/[&]/' and then jq -c '.[]'";
const COMMA = 'has a comma beside its JSON item: remove it';
const PART = 'is only a part of a JSON item: put each item on one line, for example with jq -c .';
const NOT_JSON = 'is not JSON';

/** The trouble of a line that `JSON.parse` cannot read. */
export function lineTrouble(text: string): LineTrouble {
  const { items, depth, isInString, hasCommas } = outline(text);
  const isOpen = depth > 0 || isInString || !/[}\]]\s*$/.test(text);
  const fault = (reason: string): LineTrouble => ({ reason, end: isOpen ? 'in doubt' : 'whole' });
  if (/^\s*\[/.test(text)) return fault(ARRAY);
  if (items > 1 || (items === 1 && depth > 0)) return fault(hasCommas ? SEVERAL_WITH_COMMAS : SEVERAL);
  if (items === 1 && hasCommas) return fault(COMMA);
  const reason = depth !== 0 || isInString ? PART : NOT_JSON;
  return { reason, end: isOpen ? 'cut off' : 'whole' };
}

/** The trouble of a line of which only the beginning is known. Several items are the likely cause of its length. */
export function longLineTrouble(beginning: string, longest: number): LineTrouble {
  const { reason } = lineTrouble(beginning);
  const isCause = reason === ARRAY || reason === SEVERAL || reason === SEVERAL_WITH_COMMAS;
  return { reason: isCause ? reason : `is longer than ${longest} bytes`, end: 'in doubt' };
}

/** The trouble of a line that is JSON, but no object. */
export function noItemTrouble(value: unknown): LineTrouble {
  return { reason: Array.isArray(value) ? ARRAY : 'is not a JSON object', end: 'whole' };
}

/** The complete objects and arrays of a line, what is open at its end, and whether commas are outside of all. */
function outline(text: string) {
  let items = 0;
  let depth = 0;
  let isInString = false;
  let hasCommas = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) items += 1;
    } else if (sign === ',' && depth === 0) hasCommas = true;
  }
  return { items, depth, isInString, hasCommas };
}
