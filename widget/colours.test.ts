import { expect, it } from 'vitest';
import { contrast } from '../domain/contrast.ts';
import { WIDGET_COLOURS } from './colours.ts';

const PAIRS = [
  ['ink', 'sunken'],
  ['ink-soft', 'sunken'],
  ['action', 'sunken'],
  ['good', 'good-wash'],
  ['bad', 'bad-wash'],
  ['action', 'action-wash'],
] as const;

it.each(PAIRS)('%s on %s has a contrast of at least 4.5 in light and dark', (text, ground) => {
  for (const scheme of [0, 1] as const) {
    expect(contrast(WIDGET_COLOURS[text][scheme], WIDGET_COLOURS[ground][scheme])).toBeGreaterThanOrEqual(
      4.5,
    );
  }
});
