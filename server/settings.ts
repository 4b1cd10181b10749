import { type AlertsConfig, parseAlertsConfig } from './alerts/alerts-config.ts';
import { type Config, parseConfig } from './config.ts';
import { readClockOffset } from './environment/clock.ts';
import type { Variables } from './environment/read-environment.ts';
import { type FeedSettings, readFeedSettings } from './feed/feed-settings.ts';
import { unknownVariableWarnings } from './known-variables.ts';
import { type NoticeSettings, readNoticeSettings } from './notices/notice-settings.ts';
import { brandContrastWarnings } from './page/brand-contrast.ts';

export interface Settings {
  config: Config;
  alerts: AlertsConfig;
  feeds: FeedSettings;
  notices: NoticeSettings;
  /** Warnings about settings that have no effect or a bad one. */
  warnings: string[];
}

/** All settings in the environment (docs/configuration.md), or the first error. */
export function readSettings(
  variables: Variables,
): { kind: 'settings'; settings: Settings } | { kind: 'refused'; message: string } {
  const config = parseConfig(variables);
  if (config.kind === 'refused') return config;
  const alerts = parseAlertsConfig(variables);
  if (alerts.kind === 'refused') return alerts;
  const feeds = readFeedSettings(variables);
  if (feeds.kind === 'refused') return feeds;
  const notices = readNoticeSettings(variables, alerts.config.mailServer);
  if (notices.kind === 'refused') return notices;
  const clock = readClockOffset(variables);
  if (clock.kind === 'refused') return clock;
  const ambiguous = feeds.settings.providers.providers.some(({ code }) => code === config.config.brandCode);
  if (ambiguous) {
    return {
      kind: 'refused',
      message: `BRAND_CODE must differ from the provider codes in providers.json (got "${config.config.brandCode}").`,
    };
  }
  return {
    kind: 'settings',
    settings: {
      config: config.config,
      alerts: alerts.config,
      feeds: feeds.settings,
      notices: notices.value,
      warnings: [
        ...unknownVariableWarnings(variables),
        ...brandContrastWarnings(config.config.brand.colours ?? {}),
      ],
    },
  };
}
