import { isFlatField } from './flat-item.ts';
import type { Problem } from './raw-row.ts';
import type { FlatFields, Transform } from './transform.ts';

/** The item's fields that are JSON text with fields of their own (Section 3). */
export const JSON_FIELDS = ['Hotel', 'Flight', 'AdditionalData'] as const;

/** An item's own fields and those of its JSON texts, side by side. An item's own field goes first. */
export const flattenItem: Transform = (item) => {
  const problems: Problem[] = [];
  const inner = JSON_FIELDS.flatMap((field) => {
    const value = Object.hasOwn(item, field) ? item[field] : undefined;
    if (!isGiven(value)) return [];
    const object = toObject(value);
    if (object === null) problems.push({ field, value, reason: 'is no JSON object' });
    return object === null ? [] : [object];
  });
  const fields: FlatFields = {};
  // The item's own fields come last, and stand.
  for (const object of [...inner, item]) {
    for (const field of Object.keys(object)) {
      if (isFlatField(field) && isGiven(object[field])) fields[field] = object[field];
    }
  }
  return { fields, problems };
};

/** A field that is null or blank is none. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '');
}

function toObject(value: unknown): Readonly<Record<string, unknown>> | null {
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? (parsed as Readonly<Record<string, unknown>>) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
