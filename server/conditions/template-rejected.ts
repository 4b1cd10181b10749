import { templateHolds } from '../alerts/delivery/pauses.ts';
import type { AlertMetrics } from '../alerts/status/alert-metrics.ts';
import type { Condition } from './condition.ts';
import { gauge } from './gauge.ts';
import type { StoreView } from './store-view.ts';

export const TEMPLATE_REJECTED: Condition<StoreView, AlertMetrics> = {
  id: 'template',
  level: 'warn',
  sentence: 'The provider rejects the template $',
  remedy: 'Its messages wait. Correct the template, then run {alerts resume $}.',
  graceMs: 0,
  gauges: [
    gauge(
      'alert_template_held',
      '1 for a template that the provider does not accept now',
      ({ heldTemplates }) => heldTemplates.map(({ template }) => [{ template }, 1]),
      'template',
    ),
  ],
  read: async ({ alertStore }) =>
    (await templateHolds(alertStore)).map(({ template, reason }) => ({ subject: template, detail: reason })),
};
