/**
 * Where parsed JSON has a key that no request may have, such as `variables.__proto__`; null: nowhere. Copied into another
 * object, `__proto__` and `constructor.prototype` would change what all objects have.
 */
export function forbiddenKey(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, held] of Object.entries(value)) {
    const here = [...path, key];
    if (key === '__proto__') return here.join('.');
    if (key === 'constructor' && hasPrototype(held)) return [...here, 'prototype'].join('.');
    const inside = forbiddenKey(held, here);
    if (inside !== null) return inside;
  }
  return null;
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
