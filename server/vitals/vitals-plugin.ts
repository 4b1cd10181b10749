import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { PAGE_PATHS } from '../../domain/page-paths.ts';

/** One hour, because a tab in the background may paint its largest picture late. */
const MAX_MS = 3_600_000;

const time = v.object({
  name: v.picklist(['LCP', 'INP', 'FCP', 'TTFB']),
  value: v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_MS)),
});
const shift = v.object({
  name: v.literal('CLS'),
  /** The layout shift score of the worst session window. It has no unit. */
  value: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
});
const body = v.strictObject({
  page: v.picklist(PAGE_PATHS),
  measurements: v.pipe(v.array(v.union([time, shift])), v.minLength(1), v.maxLength(10)),
});

export type MeasuredPage = (typeof PAGE_PATHS)[number];
export type Measurement = v.InferOutput<typeof time> | v.InferOutput<typeof shift>;

/** `POST /vitals`: Web Vitals from a browser. Keeps only histogram counts, and nothing about the visitor. */
export async function vitalsPlugin(
  app: FastifyInstance,
  { observe }: { observe: (page: MeasuredPage, measured: Measurement) => void },
): Promise<void> {
  app.post('/vitals', { config: { isOpen: true, limit: 'store' } }, async (request, reply) => {
    const parsed = v.safeParse(body, request.body);
    if (!parsed.success) {
      return reply.code(400).send({
        error: `Send a JSON object with a page (one of ${PAGE_PATHS.join(', ')}) and measurements (name and value).`,
      });
    }
    for (const measured of parsed.output.measurements) observe(parsed.output.page, measured);
    return reply.code(204).send();
  });
}
