// Ignores failed writes, so that a reader that stops early, such as `head`, does not end a command halfway.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Prints why a command fails. The process then ends with code 1. */
export function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
