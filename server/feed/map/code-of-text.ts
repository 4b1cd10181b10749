import { createHash } from 'node:crypto';
import { foldText } from '../../../domain/fold-text.ts';

const MAX_CODE = 40;
/** With the longest code that a feed may have (`formats/flat-item.ts`), limits item keys to 400 characters. */
const MAX_ENCODED = 160;

/** The code of packages without a room description, also in older keys. */
const NO_ROOM = 'STANDARD';

/**
 * Makes a code from a name, such as DOUBLE-ROOM, ignoring case, accents and spacing. For names without
 * letters and digits, the code begins with a hyphen.
 */
export function codeOfText(text: string): string {
  const code = foldText(text).replaceAll(' ', '-').toUpperCase();
  if (code === '') return `-${hashOf(text)}`;
  if (isShort(code)) return code;
  const end = `-${hashOf(code)}`;
  const letters = [...code].slice(0, MAX_CODE - end.length);
  while (!isShort(`${letters.join('')}${end}`)) letters.pop();
  return `${letters.join('')}${end}`;
}

function isShort(code: string): boolean {
  return code.length <= MAX_CODE && encodeURIComponent(code).length <= MAX_ENCODED;
}

export function codeOfRoom(description: string): string {
  if (description === '') return NO_ROOM;
  const code = codeOfText(description);
  return code === NO_ROOM ? `${NO_ROOM}-` : code;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
}
