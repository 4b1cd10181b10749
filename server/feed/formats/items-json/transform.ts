import { flattenItem } from '../flatten-item.ts';
import type { Transform } from '../transform.ts';

/** An item as it stands on the wire: its JSON texts may also come as the objects that they are. */
export const transformItemsJson: Transform = flattenItem;
