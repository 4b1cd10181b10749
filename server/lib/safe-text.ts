const MAX_LENGTH = 80;

/** A name from a feed for another program: without control and direction characters, and cut. */
export function safeText(text: string): string {
  const plain = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...plain];
  return letters.length <= MAX_LENGTH ? plain : `${letters.slice(0, MAX_LENGTH).join('')}…`;
}
