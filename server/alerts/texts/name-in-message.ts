/** The most characters of a name in a message. A WhatsApp template may have 1,024 in total. */
const LONGEST = 60;

/**
 * The name of a hotel or place on one line, at most 60 characters long. Removes what messaging programs would
 * turn into a link or formatting, because a provider chose the name but the message is ours.
 */
export function nameInMessage(name: string): string {
  const plain = name
    // Keeps the asterisk of '4*', which does not begin bold text.
    .replace(/:\/\/|[_~`]|(?<!\d)\*/g, ' ')
    .replace(/^[\s>#-]+/, '')
    // Adds a space after a dot, as in 'St.George', so that it does not look like a host name.
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
