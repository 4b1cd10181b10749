import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { readPriceModels } from '../price-history/model/model-table.ts';
import type { Condition } from './condition.ts';
import { gauge } from './gauge.ts';
import type { StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

const MAX_DAYS = 3;
const DAY_SECONDS = 24 * 60 * 60;

export const PRICE_MODELS_OLD: Condition<StoreView, StoreFacts> = {
  id: 'price models',
  level: 'warn',
  sentence: 'The price models are old',
  remedy: 'Keep the server running. It trains them daily, and logs why if it cannot.',
  gauges: [
    gauge(
      'price_model_trained_seconds',
      'Day the price models were trained, as a Unix time',
      ({ priceModels }) => priceModels && priceModels.trainedDay * DAY_SECONDS,
    ),
  ],
  async read({ database, now }) {
    const models = await readPriceModels(database);
    if (models === null) return 'There are no price models yet. The server trains them after the first load.';
    const age = `trained on ${fromDayNumber(models.trainedDay)}`;
    const isOld = dayNumber(todayInLondon(now)) - models.trainedDay > MAX_DAYS;
    return isOld ? { detail: age } : `The price models were ${age}.`;
  },
};
