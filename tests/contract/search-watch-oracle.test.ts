import { expect, it } from 'vitest';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { compareWithDefinition } from './suites/search-watch-oracle.ts';

it.each(ALL_STORE_KINDS)(
  'Watches of searches send what their definition says, in the %s store',
  async (store) => {
    const { fired, sent } = await compareWithDefinition(store, {
      watches: 30,
      imports: 12,
      changes: 500,
      seed: 1,
    });
    expect(fired).toBeGreaterThan(10);
    expect(sent).toBeGreaterThan(10);
  },
  600_000,
);
