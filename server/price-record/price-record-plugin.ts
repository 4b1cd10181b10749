import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { addStylesheet } from '../page/html-page.ts';
import { recordPage } from './record-page.ts';
import type { PriceRecordApi } from './record-store.ts';

const STYLESHEET = '/price-record.css';

const params = v.object({ name: v.pipe(v.string(), v.maxLength(20)) });

export interface PriceRecordOptions {
  priceRecord: PriceRecordApi;
  brandName: string;
  /** Whether the inventory is invented. If so, the page says so. */
  sampleInventory: boolean;
}

/** Serves `/price-record` and its files (docs/price-record.md). */
export async function priceRecordPlugin(
  app: FastifyInstance,
  { priceRecord, brandName, sampleInventory }: PriceRecordOptions,
): Promise<void> {
  addStylesheet(app, STYLESHEET);
  app.get('/price-record', { config: { limit: 'store' } }, async (_request, reply) => {
    const main = recordPage(await priceRecord.state(), brandName, sampleInventory);
    const description = `How often ${brandName}’s price verdicts were right, and how often wrong.`;
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(app.writePage({ title: 'Price record', description, styles: [STYLESHEET], main }));
  });
  app.get('/price-record/:name', { config: { limit: 'store' } }, async (request, reply) => {
    const parsed = v.safeParse(params, request.params);
    const text = parsed.success ? await priceRecord.file(parsed.output.name) : null;
    if (text === null) return reply.callNotFound();
    return reply.type('text/csv; charset=utf-8').header('cache-control', 'no-cache').send(text);
  });
}
