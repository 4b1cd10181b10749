/** Bytes that the container or the system allows the process; infinitely many without a limit. */
export function memoryLimit(): number {
  const allowed = process.constrainedMemory();
  // Without a limit, some systems report an absurdly large number, and others 0.
  return allowed > 0 ? allowed : Number.POSITIVE_INFINITY;
}
