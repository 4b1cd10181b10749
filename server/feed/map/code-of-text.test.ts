import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeOfRoom, codeOfText } from './code-of-text.ts';

it.each([
  ['Double Room', 'DOUBLE-ROOM'],
  ['Habitación doble', 'HABITACION-DOBLE'],
  ['Ξενοδοχείο Ήλιος', 'ΞΕΝΟΔΟΧΕΙΟ-ΗΛΙΟΣ'],
  ['Double Room with Balcony, Sea View and Breakfast', 'DOUBLE-ROOM-WITH-BALCONY-SEA-VI-E43B4A3E'],
])('makes a code for %s', (text, code) => {
  expect(codeOfText(text)).toBe(code);
});

it('makes different codes for long names that differ only at the end, in any alphabet', () => {
  for (const letters of ['a', 'ж', '海', '𠀀']) {
    const long = letters.repeat(100);
    expect(codeOfText(`${long}1`)).not.toBe(codeOfText(`${long}2`));
  }
});

it('makes codes short enough for a URL', () => {
  const letter = fc.constantFrom('a', 'é', 'ж', '海', '𠀀', '😀', ' ', '/');
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 200, size: 'max' }), (text) => {
      for (const code of [codeOfText(text), codeOfRoom(text)]) {
        expect(code.length).toBeLessThanOrEqual(40);
        expect(encodeURIComponent(code).length).toBeLessThanOrEqual(160);
      }
    }),
  );
});
