export const BOARD_BASIS: Readonly<Record<string, string>> = {
  AI: 'All-Inclusive',
  AP: 'All-Inclusive Plus',
  BB: 'Bed & Breakfast',
  CB: 'Continental Breakfast',
  CC: 'Catered Chalet',
  CL: 'Club Board',
  DH: 'Deluxe Half Board',
  DI: 'Drinks Inclusive',
  FB: 'Full Board',
  FD: 'Fly Drive',
  FP: 'Full Board Plus',
  HB: 'Half Board',
  NA: 'n/a',
  RO: 'Room Only',
  SC: 'Self Catering',
  VB: 'Board varies-as text',
};

/** The code in words; an unknown code is returned unchanged (Section 2). */
export function boardBasisWords(code: string): string {
  return Object.hasOwn(BOARD_BASIS, code) ? (BOARD_BASIS[code] ?? code) : code;
}
