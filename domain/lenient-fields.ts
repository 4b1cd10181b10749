import * as v from 'valibot';

const NUMBER_AS_TEXT = /^[+-]?\d+(?:\.\d+)?$/;

/** Text, trimmed; a number becomes its digits. Otherwise '', so that a bad field does not lose the item. */
export const text = v.fallback(
  v.pipe(v.union([v.string(), v.pipe(v.number(), v.finite())]), v.transform(String), v.trim()),
  '',
);

const readableNumber = v.union([
  v.pipe(v.number(), v.finite()),
  v.pipe(v.string(), v.trim(), v.regex(NUMBER_AS_TEXT), v.transform(Number), v.finite()),
]);

/** A number from `min` to `max`, also as text; null for anything else. */
export function numberBetween(min: number, max: number) {
  return v.fallback(v.nullable(v.pipe(readableNumber, v.minValue(min), v.maxValue(max))), null);
}

/** A whole number from `min` to `max`, also as text; null for anything else. */
export function wholeBetween(min: number, max: number) {
  return v.fallback(v.nullable(v.pipe(readableNumber, v.integer(), v.minValue(min), v.maxValue(max))), null);
}

/** A count from 0, also as text; true is one; 0 for anything else. */
export const count = v.fallback(
  v.union([v.pipe(v.boolean(), v.transform(Number)), v.pipe(readableNumber, v.minValue(0))]),
  0,
);

/** True for true, 1 and their texts; false for anything else. */
export const flag = v.fallback(
  v.pipe(
    v.union([v.boolean(), v.number(), v.string()]),
    v.transform((value) => ['true', '1'].includes(String(value).trim().toLowerCase())),
  ),
  false,
);

/** The result of `parse` for text; null for anything else. */
export function parsedBy<T>(parse: (text: string) => T | null) {
  return v.fallback(v.pipe(v.string(), v.transform(parse)), null);
}

/**
 * An object, also as JSON text or doubly encoded JSON text. A missing object is empty, so that its fields
 * fall back one by one. Rejects anything else: damaged data must not be read in part.
 */
export const jsonObject = v.pipe(
  v.optional(v.unknown(), null),
  v.rawTransform(({ dataset, addIssue, NEVER }): Record<string, unknown> => {
    const value = parseJson(parseJson(dataset.value)) ?? {};
    if (isRecord(value)) return value;
    addIssue({ message: 'is not the JSON of an object' });
    return NEVER;
  }),
);

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
