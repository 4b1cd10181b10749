/** Board codes that are similar enough to compare. Any other code is its own class. */
export const BOARD_CLASSES: readonly (readonly string[])[] = [
  ['RO', 'SC', 'NA'],
  ['BB', 'CB'],
  ['HB', 'DH'],
  ['FB', 'FP'],
  ['AI', 'AP', 'DI', 'CL'],
];
