// Ignores failed writes, so that a reader that stops early, such as `head`, does not end a command halfway.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
