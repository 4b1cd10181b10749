import * as v from 'valibot';

/**
 * A list in a webhook of which every item is read by itself: what cannot be read is left aside, and takes no
 * stop that stands beside it along. Anything but a list is an empty one.
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

/** Text where there is some, else null. */
export const textOrNull = v.fallback(v.nullable(v.string()), null);

/** A webhook's body as JSON; null where it is none. Never throws: an error of JSON quotes what it could not read. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
