const ARRAY =
  "is a JSON array: put each of its items on a line of its own, without brackets and commas, for example with jq -c '.[]'";
const SEVERAL = 'has more than one JSON item: put each on a line of its own, for example with jq -c .';
const SEVERAL_WITH_COMMAS =
  "has more than one JSON item, with commas between them: put each on a line of its own, without commas, for example with sed 's/.*/[&]/' and then jq -c '.[]'";
const COMMA = 'has a comma next to its JSON item: remove it';
const PART = 'is only a part of a JSON item: put each item on one line, for example with jq -c .';

/** Why `JSON.parse` cannot read a line, to follow the line number in a sentence. */
export function lineTrouble(text: string): string {
  const { items, depth, isInString, hasCommas } = outline(text);
  if (/^\s*\[/.test(text)) return ARRAY;
  if (items > 1 || (items === 1 && depth > 0)) return hasCommas ? SEVERAL_WITH_COMMAS : SEVERAL;
  if (items === 1 && hasCommas) return COMMA;
  return depth !== 0 || isInString ? PART : 'is not JSON';
}

/** Why an overlong line is refused, judged by its beginning. It probably has several items. */
export function longLineTrouble(beginning: string, max: number): string {
  const reason = lineTrouble(beginning);
  return [ARRAY, SEVERAL, SEVERAL_WITH_COMMAS].includes(reason) ? reason : `is longer than ${max} bytes`;
}

/** Why a JSON line is no item. */
export function noItemTrouble(value: unknown): string {
  return Array.isArray(value) ? ARRAY : 'is not a JSON object';
}

/** A line's complete objects and arrays, what is open at its end, and whether there are commas outside. */
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
