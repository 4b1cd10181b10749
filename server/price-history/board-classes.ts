/** Board codes that are compared with each other. Any other code is a class of its own. */
export const BOARD_CLASSES: readonly (readonly string[])[] = [
  ['RO', 'SC', 'NA'],
  ['BB', 'CB'],
  ['HB', 'DH'],
  ['FB', 'FP'],
  ['AI', 'AP', 'DI', 'CL'],
];
