/** SQLite's primary result codes for a disk that cannot be written, fails, is full, or is not there. */
const DISK_FAULTS: ReadonlySet<number> = new Set([8, 10, 13, 14]);

/** Whether an error is SQLite's about the disk: nothing was written, and a retry may succeed. */
export function isDiskFault(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && DISK_FAULTS.has(Number(error.errcode) & 0xff);
}
