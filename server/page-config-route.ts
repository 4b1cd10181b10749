import type { FastifyInstance } from 'fastify';
import { type Precompressed, precompress, sendPrecompressed } from './page/precompressed.ts';
import type { PageConfig } from './page-config.ts';

const FORM = { type: 'application/json; charset=utf-8', quality: 9 };

interface CurrentConfig {
  /** The inputs of `build`, which runs again if one of them changes. */
  of: readonly unknown[];
  build(): PageConfig;
}

/**
 * Serves `/config.json`. Builds it only if its inputs change, and compresses it only if its text changes,
 * because it may list hundreds of parties.
 */
export function addPageConfigRoute(app: FastifyInstance, current: () => Promise<CurrentConfig>): void {
  const compressed = lastCompressed();
  let built: { of: readonly unknown[]; text: string } | null = null;

  function textOf({ of, build }: CurrentConfig): string {
    const isCurrent = built?.of.every((one, index) => one === of[index]) === true;
    if (built === null || !isCurrent) built = { of, text: JSON.stringify(build()) };
    return built.text;
  }

  app.get('/config.json', { compress: false }, async (request, reply) =>
    sendPrecompressed(request, reply, await compressed(textOf(await current()))),
  );
}

/** Compresses a text, unless it is the same as the last one. */
function lastCompressed(): (text: string) => Promise<Precompressed> {
  let last: { text: string; compressed: Promise<Precompressed> } | null = null;

  return (text) => {
    if (last?.text === text) return last.compressed;
    const made = { text, compressed: precompress(text, FORM) };
    last = made;
    // After a failure, the next request compresses it again.
    made.compressed.catch(() => {
      if (last === made) last = null;
    });
    return made.compressed;
  };
}
