import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightMatch } from './highlight-match.ts';

/** The label with brackets around the marked parts. */
function bracketed(label: string, text: string): string {
  return highlightMatch(label, text)
    .map((piece) => (piece.matched ? `[${piece.text}]` : piece.text))
    .join('');
}

describe('highlightMatch', () => {
  it.each([
    ['Benidorm, Costa Blanca, Spain', 'beni', '[Beni]dorm, Costa Blanca, Spain'],
    ['Málaga, Costa del Sol, Spain', 'malaga', '[Málaga], Costa del Sol, Spain'],
    ['Ma\u0301laga, Spain', 'mala', '[Ma\u0301la]ga, Spain'],
    ["Cala d'Or, Majorca, Spain", 'cala dor', "[Cala d'Or], Majorca, Spain"],
    ['Çeşme, İzmir, Turkey', 'cesme', '[Çeşme], İzmir, Turkey'],
    ['Straßburg, Alsace, France', 'strass', '[Straß]burg, Alsace, France'],
    ['Costa Blanca, Spain', 'blanca spain', 'Costa [Blanca, Spain]'],
    ['Benidorm, Costa Blanca, Spain', 'spain beni', '[Beni]dorm, Costa Blanca, [Spain]'],
    ['Trinidad & Tobago (any region/any resort)', 'and tob', 'Trinidad [& Tob]ago (any region/any resort)'],
    ['Tenerife, Spain', 'tenrife', 'Tenerife, Spain'],
    ['Tenerife, Spain', '', 'Tenerife, Spain'],
    ['Tenerife, Spain', ' ,.', 'Tenerife, Spain'],
  ])('marks %s for "%s" as %s', (label, text, expected) => {
    expect(bracketed(label, text)).toBe(expected);
  });

  it('returns pieces that add up to the label', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (label, text) => {
        const pieces = highlightMatch(label, text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(label);
      }),
    );
  });

  it('marks any part of a plain label, ignoring case', () => {
    const label = 'Playa de las Americas, Tenerife, Spain';
    const part = fc.tuple(fc.nat(label.length - 1), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(part, ([from, length]) => {
        const typed = label.slice(from, from + length);
        fc.pre(/^[a-z].*[a-z]$/i.test(typed));
        const marked = highlightMatch(label, typed.toUpperCase()).filter((piece) => piece.matched);
        expect(marked.map((piece) => piece.text.toLowerCase())).toEqual([typed.toLowerCase()]);
      }),
    );
  });
});
