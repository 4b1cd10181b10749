import { createHash } from 'node:crypto';
import { foldText } from '../../domain/fold-text.ts';

const LONGEST = 40;

/** Makes a code from a name, such as DOUBLE-ROOM. Case, accents and spacing make no difference. */
export function codeOfText(text: string): string {
  const code = foldText(text).replaceAll(' ', '-').toUpperCase();
  if (code.length <= LONGEST) return code;
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 8).toUpperCase();
  return `${code.slice(0, LONGEST - hash.length - 1)}-${hash}`;
}
