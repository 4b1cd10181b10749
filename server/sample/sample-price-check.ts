import { hash } from 'node:crypto';
import type { PriceCheck } from '../feed/map/holiday-providers.ts';
import type { RequestPrice } from '../visits/price-checks.ts';

/** Of every sample provider, which responds in this process. */
export const SAMPLE_CHECK: PriceCheck = { url: 'https://sample.example/', perMinute: 600 };

/** Of 16 packages, one costs 3% more by now, and one is sold out. */
export const askSampleProvider: RequestPrice = async (_check, { link }, price) => {
  const draw = hash('sha256', link)[0];
  if (draw === '0') return { available: false };
  return {
    available: true,
    totalPrice: (draw === '1' ? Math.round(price * 1.03) : price) / 100,
    currency: 'GBP',
  };
};
