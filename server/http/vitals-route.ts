import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';

/** The page's addresses (Section 2): which of them was loaded is all that is told of a visit. */
const PAGES = ['/', '/results', '/alerts'] as const;

/** An hour: a tab may have been left open for it before its picture was there. */
const LONGEST_MS = 3_600_000;

const time = v.object({
  name: v.picklist(['LCP', 'INP', 'FCP', 'TTFB']),
  /** Milliseconds. */
  value: v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_MS)),
});
const shift = v.object({
  name: v.literal('CLS'),
  /** A share of the screen's height and width, summed over the worst moment. */
  value: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
});
const body = v.strictObject({
  page: v.picklist(PAGES),
  measurements: v.pipe(v.array(v.union([time, shift])), v.minLength(1), v.maxLength(10)),
});

export type MeasuredPage = (typeof PAGES)[number];
export type Measurement = v.InferOutput<typeof time> | v.InferOutput<typeof shift>;

/**
 * `POST /vitals`: how the page was for somebody, in Web Vitals, without a word of who, where or with what. It is
 * kept as counts in histograms and nowhere else.
 */
export function addVitalsRoute(
  app: FastifyInstance,
  observe: (page: MeasuredPage, measured: Measurement) => void,
): void {
  app.post('/vitals', async (request, reply) => {
    const parsed = v.safeParse(body, request.body);
    if (!parsed.success) {
      return reply.code(400).send({
        error: 'Send a JSON object with a page (/, /results or /alerts) and measurements (name and value).',
      });
    }
    for (const measured of parsed.output.measurements) observe(parsed.output.page, measured);
    return reply.code(204).send();
  });
}
