import * as v from 'valibot';

/** A webhook's list. Skips unreadable items, so that one does not hide a stop. */
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

export const textOrNull = v.fallback(v.nullable(v.string()), null);

/** Parses JSON; null for any other text. Never throws, because a JSON error quotes the text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
