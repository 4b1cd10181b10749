import { describe } from 'vitest';
import { FEED_SHAPES } from '../fixtures/changing-feed.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { itReadsOnlyNewLines } from './suites/known-lines.ts';

describe.each(ALL_STORE_KINDS)('Reading only the new lines of a feed, in the %s store', (kind) => {
  const shapes = kind === 'embedded' ? FEED_SHAPES : FEED_SHAPES.slice(0, 1);
  describe.each(shapes)('as %s', (shape) => {
    itReadsOnlyNewLines(kind, shape, kind === 'embedded' ? 12 : 6, [FEED_SHAPES.indexOf(shape)]);
  });
});
