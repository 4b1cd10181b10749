import { flattenItem } from '../flatten-item.ts';
import type { Transform } from '../transform.ts';

/** A row's cells are the item's fields as text, and so are its JSON texts. */
export const transformItemsCsv: Transform = flattenItem;
