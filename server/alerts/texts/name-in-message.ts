/** Characters of a name in a message. A WhatsApp template has room for 1,024 in all. */
const LONGEST = 60;

/**
 * A hotel's or a place's name as messages write it: as one line, cut after 60 characters, and without what programs for
 * messages would make into a link or formatting. The name is a provider's, the message is ours.
 */
export function nameInMessage(name: string): string {
  const plain = name
    // The stars of '4*' begin no bold text.
    .replace(/:\/\/|[_~`]|(?<!\d)\*/g, ' ')
    .replace(/^[\s>#-]+/, '')
    // After a space, what follows a dot is no host: 'St.George' gets the space that it lacks.
    .replace(/(?<=[\p{L}\p{N}])[.．。｡](?=[\p{L}\p{N}]{2})/gu, '. ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...plain];
  return characters.length <= LONGEST
    ? plain
    : `${characters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`;
}
