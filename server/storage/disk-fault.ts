/** SQLite's primary result codes for disk errors: read-only, failing, full, and not to be opened. */
const DISK_FAULTS: readonly number[] = [8, 10, 13, 14];

/** Whether SQLite reports a disk error. Nothing was written then, and a retry may succeed. */
export function isDiskFault(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && DISK_FAULTS.includes(Number(error.errcode) & 0xff);
}
