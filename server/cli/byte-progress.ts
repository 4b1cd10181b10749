import { SingleBar } from 'cli-progress';

/** A progress bar with megabytes, rate and time left. Shows nothing if stderr is not a terminal. */
export function byteProgress(title: string): { update(done: number, of: number): void; stop(): void } {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: `${title} {bar} {percentage}% of {megabytes} MB, {speed} MB/s, {eta_formatted} left`,
  });
  const from = performance.now();
  let started = false;
  return {
    update(done, of) {
      const megabytes = (of / 1e6).toFixed(0);
      const speed = (done / 1e3 / Math.max(1, performance.now() - from)).toFixed(0);
      if (!started) bar.start(of, done, { megabytes, speed });
      started = true;
      bar.update(done, { megabytes, speed });
    },
    stop: () => bar.stop(),
  };
}
