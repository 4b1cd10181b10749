/** What is tried again every second, and fails in the same way while an import holds the lock, has one line in the log. */
export interface FailureLog {
  failed(line: string): void;
  worked(): void;
}

export function failureLog(log: (line: string) => void): FailureLog {
  let latest: string | null = null;
  return {
    failed(line) {
      if (line !== latest) log(line);
      latest = line;
    },
    worked() {
      latest = null;
    },
  };
}
