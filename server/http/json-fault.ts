/** The largest legitimate body, a sign-up with its whole package, has under 10 levels and 200 values. */
const JSON_LIMITS = { depth: 64, values: 2_000 };

/**
 * Describes what is wrong with parsed JSON; null if nothing. Rejects deep nesting, which could overflow the
 * stack, and keys that could change an object's prototype.
 */
export function jsonFault(json: unknown): string | null {
  let values = 0;
  const path: string[] = [];

  function faultOf(value: unknown): string | null {
    values += 1;
    if (values > JSON_LIMITS.values)
      return `The body's JSON has more than ${JSON_LIMITS.values} values: send one with fewer.`;
    if (typeof value !== 'object' || value === null) return null;
    if (path.length >= JSON_LIMITS.depth)
      return `The body's JSON is nested more than ${JSON_LIMITS.depth} levels deep: send one with fewer levels.`;
    for (const [key, inside] of Object.entries(value)) {
      const isForbidden = key === '__proto__' || (key === 'prototype' && path.at(-1) === 'constructor');
      path.push(key);
      if (isForbidden)
        return `The body's JSON has a key that is not allowed: ${path.join('.')}. Send it without.`;
      const fault = faultOf(inside);
      if (fault !== null) return fault;
      path.pop();
    }
    return null;
  }
  return faultOf(json);
}
