import type { FlatField } from './flat-item.ts';
import type { Problem } from './raw-row.ts';

/** A row's fields under the item's names, blank ones left out, not yet checked. */
export type FlatFields = Partial<Record<FlatField, unknown>>;

/** What a format makes of a row: the item's flat fields, and what it could not make. */
export type Transform = (fields: Readonly<Record<string, unknown>>) => {
  fields: FlatFields;
  problems: readonly Problem[];
};
