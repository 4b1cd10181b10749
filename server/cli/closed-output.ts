// A reader that leaves, as `head` does, must not end a command in the middle of its work: what it does not read is lost.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
