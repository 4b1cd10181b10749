import type * as v from 'valibot';
import { setting } from '../../environment/schema.ts';

/** The settings for each template's name at the provider. `takes` gets the name that docs/alerts.md proposes. */
export const templateSettings = (
  takes: (proposed: string) => v.GenericSchema<string | undefined, string>,
) => ({
  confirm: setting('ALERT_TEMPLATE_CONFIRM', takes('holiday_watch_confirm_v2')),
  welcome: setting('ALERT_TEMPLATE_WELCOME', takes('holiday_watch_welcome_v2')),
  drop: setting('ALERT_TEMPLATE_DROP', takes('holiday_price_drop_v4')),
});
