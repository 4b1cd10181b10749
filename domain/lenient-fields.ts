import * as v from 'valibot';

const NUMBER_AS_TEXT = /^[+-]?\d+(?:\.\d+)?$/;

/** Trimmed text, or a number's digits. Anything else is '', so that a bad field does not lose the item. */
export const text = v.fallback(
  v.pipe(v.union([v.string(), v.pipe(v.number(), v.finite())]), v.transform(String), v.trim()),
  '',
);

const readableNumber = v.union([
  v.pipe(v.number(), v.finite()),
  v.pipe(v.string(), v.trim(), v.regex(NUMBER_AS_TEXT), v.transform(Number), v.finite()),
]);

/** A number from `min` to `max`, or that number as text. Anything else is null. */
export function numberBetween(min: number, max: number) {
  return v.fallback(v.nullable(v.pipe(readableNumber, v.minValue(min), v.maxValue(max))), null);
}

/** A whole number from `min` to `max`, or that number as text. Anything else is null. */
export function wholeBetween(min: number, max: number) {
  return v.fallback(v.nullable(v.pipe(readableNumber, v.integer(), v.minValue(min), v.maxValue(max))), null);
}

/** A whole number from 0, or that number as text. True is 1; anything else is 0. */
export const count = v.fallback(
  v.union([v.pipe(v.boolean(), v.transform(Number)), v.pipe(readableNumber, v.minValue(0))]),
  0,
);

/** Whether the value is true, 1, or either as text. Anything else is false. */
export const flag = v.fallback(
  v.pipe(
    v.union([v.boolean(), v.number(), v.string()]),
    v.transform((value) => ['true', '1'].includes(String(value).trim().toLowerCase())),
  ),
  false,
);

/** What `parse` returns for text. Anything else is null. */
export function parsedBy<T>(parse: (text: string) => T | null) {
  return v.fallback(v.pipe(v.string(), v.transform(parse)), null);
}

/**
 * An object, which may be JSON text, even doubly encoded. A missing object is empty, so that each of its
 * fields gets its default. Rejects anything else, so that damaged data is not read in part.
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
