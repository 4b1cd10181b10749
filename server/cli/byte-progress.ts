import { SingleBar } from 'cli-progress';

/**
 * A progress bar with megabytes, rate and time left. `then` describes the work after the last byte. Shows
 * nothing if stderr is not a terminal.
 */
export function byteProgress(
  title: string,
  then: string,
): { update(done: number, of: number): void; stop(): void } {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: `${title} {bar} {percentage}% of {megabytes} MB, {speed} MB/s, {eta_formatted} left`,
  });
  const from = performance.now();
  let started = false;
  let isDone = false;
  return {
    update(done, of) {
      if (isDone) return;
      const megabytes = (of / 1e6).toFixed(0);
      const speed = (done / 1e3 / Math.max(1, performance.now() - from)).toFixed(0);
      if (!started) bar.start(of, done, { megabytes, speed });
      started = true;
      bar.update(done, { megabytes, speed });
      if (done < of) return;
      isDone = true;
      bar.stop();
      console.error(`${then}...`);
    },
    stop: () => bar.stop(),
  };
}
