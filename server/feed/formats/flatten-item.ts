import { isFlatField } from './flat-item.ts';
import type { Problem } from './raw-row.ts';
import type { FlatFields, Transform } from './transform.ts';

/** The item's fields that are JSON text with fields of their own (Section 3). */
export const JSON_FIELDS = ['Hotel', 'Flight', 'AdditionalData'] as const;

/** An item's own fields and those of its JSON texts, side by side. An item's own field goes first. */
export const flattenItem: Transform = (item) => {
  const problems: Problem[] = [];
  const fields: FlatFields = {};
  for (const field of JSON_FIELDS) {
    const value = Object.hasOwn(item, field) ? item[field] : undefined;
    if (!isGiven(value)) continue;
    const object = toObject(value);
    if (object === null) problems.push({ field, value, reason: 'is no JSON object' });
    else takeFields(object, fields);
  }
  // The item's own fields come last, and stand.
  takeFields(item, fields);
  return { fields, problems };
};

function takeFields(object: Readonly<Record<string, unknown>>, fields: FlatFields): void {
  for (const field of Object.keys(object)) {
    if (!isFlatField(field)) continue;
    const value = object[field];
    if (isGiven(value)) fields[field] = value;
  }
}

/** A field that is null or blank is none. */
function isGiven(value: unknown): boolean {
  if (typeof value === 'string') return isPrintable(value.charCodeAt(0)) || value.trim() !== '';
  return value !== undefined && value !== null;
}

/** Whether a text that begins so cannot be blank: most begin with a letter or a digit, and need no trimming. */
function isPrintable(code: number): boolean {
  return code > 0x20 && code < 0x7f;
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
