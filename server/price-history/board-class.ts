/** Boards that feed a guest alike; a board that is not here is alone in its class. */
const CLASSES = [
  ['RO', 'SC', 'NA'],
  ['BB', 'CB'],
  ['HB', 'DH'],
  ['FB', 'FP'],
  ['AI', 'AP', 'DI', 'CL'],
];

/** The board codes that are compared with this one, itself included. */
export function boardsLike(code: string): readonly string[] {
  return CLASSES.find((codes) => codes.includes(code)) ?? [code];
}
