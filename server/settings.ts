import { type AlertsConfig, parseAlertsConfig } from './alerts/alerts-config.ts';
import { brandContrastWarnings } from './brand/brand-contrast.ts';
import { type Config, parseConfig } from './config.ts';
import { unreadVariables } from './known-variables.ts';
import type { Variables } from './read-variables.ts';

export interface Settings {
  config: Config;
  alerts: AlertsConfig;
  /** Sentences for the operator about what was set in vain. */
  warnings: string[];
}

/** Everything that the environment sets (docs/configuration.md), or the first thing that is wrong with it. */
export function readSettings(
  variables: Variables,
): { kind: 'settings'; settings: Settings } | { kind: 'refused'; message: string } {
  const config = parseConfig(variables);
  if (config.kind === 'refused') return config;
  const alerts = parseAlertsConfig(variables);
  if (alerts.kind === 'refused') return alerts;
  return {
    kind: 'settings',
    settings: {
      config: config.config,
      alerts: alerts.config,
      warnings: [...unreadVariables(variables), ...brandContrastWarnings(config.config.brand.colours ?? {})],
    },
  };
}
