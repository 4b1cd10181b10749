/** The words of a name, and the whole name as one word, so that 'palmanova' matches 'Palma Nova'. */
export function searchWords(name: string): string[] {
  const words = name.split(' ');
  return words.length === 1 ? words : [...words, words.join('')];
}

/** A mask with a bit for each letter of a word. Letters other than a-z share bits with them. */
export function letterMask(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}
