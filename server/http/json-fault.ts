import { JSON_LIMITS } from './limits.ts';

/**
 * What is wrong with parsed JSON, or null. Rejects deep nesting, which overflows the stack, and keys that
 * could change the prototype of objects.
 */
export function jsonFault(json: unknown): string | null {
  let values = 0;

  function faultOf(value: unknown, path: readonly string[]): string | null {
    values += 1;
    if (values > JSON_LIMITS.values)
      return `The body's JSON has more than ${JSON_LIMITS.values} values: send one with fewer.`;
    if (typeof value !== 'object' || value === null) return null;
    if (path.length >= JSON_LIMITS.depth)
      return `The body's JSON is nested more than ${JSON_LIMITS.depth} levels deep: send one with fewer levels.`;
    for (const [key, inside] of Object.entries(value)) {
      const here = [...path, key];
      const isForbidden = key === '__proto__' || (key === 'prototype' && path.at(-1) === 'constructor');
      const fault = isForbidden
        ? `The body's JSON has a key that is not allowed: ${here.join('.')}. Send it without.`
        : faultOf(inside, here);
      if (fault !== null) return fault;
    }
    return null;
  }
  return faultOf(json, []);
}
