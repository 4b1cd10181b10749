import * as v from 'valibot';

/**
 * A schema for a webhook's list. Skips unreadable items, so that one does not hide a stop in the same list.
 */
export function readableItems<S extends v.GenericSchema>(item: S) {
  return v.optional(
    v.pipe(
      v.fallback(v.array(v.unknown()), []),
      v.transform((items) =>
        items.flatMap((one): v.InferOutput<S>[] => {
          const read = v.safeParse(item, one);
          return read.success ? [read.output] : [];
        }),
      ),
    ),
    [],
  );
}

/** Text, or null for anything else. */
export const textOrNull = v.fallback(v.nullable(v.string()), null);

/** Parses a webhook's body; null if it is not JSON. Never throws, because a JSON error quotes the body. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
