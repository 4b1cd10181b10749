import { hash } from 'node:crypto';
import type { PriceCheck } from '../feed/map/holiday-providers.ts';
import type { RequestPrice } from '../visits/price-checks.ts';

/** The price check of every sample provider. No request is sent: `askSampleProvider` makes the response. */
export const SAMPLE_CHECK: PriceCheck = { url: 'https://sample.example/', perMinute: 600 };

/** One package in 16 costs 3% more by now, and one in 16 is sold out. */
export const askSampleProvider: RequestPrice = async (_check, { link }, price) => {
  const draw = hash('sha256', link)[0];
  if (draw === '0') return { available: false };
  return {
    available: true,
    totalPrice: (draw === '1' ? Math.round(price * 1.03) : price) / 100,
    currency: 'GBP',
  };
};
