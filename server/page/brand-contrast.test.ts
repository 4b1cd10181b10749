import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { brandContrastWarnings, INK, PAPER } from './brand-contrast.ts';

it('measures contrast with the page’s actual colours', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../web/ui/tokens.css'), 'utf8');
  expect(tokens).toContain(`--paper: light-dark(${PAPER.light}, ${PAPER.dark});`);
  expect(tokens).toContain(`--ink: light-dark(${INK.light}, ${INK.dark});`);
});

it('warns about low contrast in either theme', () => {
  const both = (colour: string) => ({ light: colour, dark: colour });
  expect(brandContrastWarnings({ action: { light: '#0f5a6b', dark: '#8fd3de' } })).toEqual([]);
  expect(brandContrastWarnings({ action: both('#0f5a6b') })).toEqual([
    expect.stringMatching(
      /action \(#0f5a6b\) on the paper \(#101d26\) has a contrast of 2\.\d in the dark theme/,
    ),
  ]);
  expect(brandContrastWarnings({ sky: both('#777777'), sun: both('#fffdf0') })).toHaveLength(3);
  const pale = { action: { light: '#0f5a6b', dark: '#8fd3de' }, onAction: both('#557788') };
  expect(brandContrastWarnings(pale).join()).toContain('onAction (#557788) on action');
});
