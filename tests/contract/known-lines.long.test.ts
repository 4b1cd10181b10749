import { describe } from 'vitest';
import { FEED_SHAPES } from '../fixtures/changing-feed.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { itReadsOnlyNewLines } from './suites/known-lines.ts';

// 500 feeds on the two stores.
describe.each(ALL_STORE_KINDS)('Reading only the new lines of many feeds, in the %s store', (kind) => {
  describe.each(FEED_SHAPES)('as %s', (shape) => {
    itReadsOnlyNewLines(kind, shape, 25, [10 + FEED_SHAPES.indexOf(shape), 20 + FEED_SHAPES.indexOf(shape)]);
  });
});
