import type { BrandColours } from '../../domain/brand-colours.ts';
import { LOGO_MARK, NAME_MARK } from '../../domain/brand-marks.ts';
import { escapeHtml } from '../lib/html.ts';
import { ICON_PATHS, MANIFEST_PATH } from './app-files.ts';

/** The parts of a brand that the server renders before any script runs. */
export interface PaintedBrand {
  name: string;
  /** Null: use the page's own logo. */
  logoUrl: string | null;
  /** The brand's stylesheet; null if it has no colours. */
  styleUrl: string | null;
  sky: BrandColours['sky'] | null;
}

const ICON = /<link rel="icon" href="([^"]+)"[^>]*>/;

/**
 * Inserts a brand's name, logo and colours into the prerendered page, so that it never shows another brand
 * first. The page's script hydrates this markup, and reads the brand from attributes of the root element.
 */
export function fillShell(template: string, { name, logoUrl, styleUrl, sky }: PaintedBrand): string {
  const ownIcon = ICON.exec(template)?.[1] ?? '';
  let html = template;
  if (logoUrl !== null) html = html.replace(ICON, () => `<link rel="icon" href="${escapeHtml(logoUrl)}">`);
  const links = `<link rel="manifest" href="${MANIFEST_PATH}">\n    <link rel="apple-touch-icon" href="${ICON_PATHS.get(192)}">`;
  html = html.replace('</head>', () => `  ${links}\n  </head>`);
  if (styleUrl !== null) {
    html = html.replace(
      '</head>',
      () => `  <link rel="stylesheet" data-brand href="${escapeHtml(styleUrl)}">\n  </head>`,
    );
  }
  if (sky) {
    html = html.replaceAll(
      /(<meta name="theme-color" content=")[^"]*("[^>]*(light|dark)\))/g,
      (_, before, after, theme) => `${before}${theme === 'dark' ? sky.dark : sky.light}${after}`,
    );
  }
  // Without this attribute, the script uses the page's own logo.
  if (logoUrl === null) html = html.replace(` data-brand-logo="${LOGO_MARK}"`, '');
  return html
    .replaceAll(LOGO_MARK, () => escapeHtml(logoUrl ?? ownIcon))
    .replaceAll(NAME_MARK, () => escapeHtml(name));
}
