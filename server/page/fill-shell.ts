import type { BrandColours } from '../../domain/brand-colours.ts';
import { LOGO_MARK, NAME_MARK } from '../../domain/brand-marks.ts';
import { escapeHtml } from '../lib/escape-html.ts';

/** What of a brand is painted before any script has come. */
export interface PaintedBrand {
  name: string;
  /** Null: the page's own. */
  logoUrl: string | null;
  /** The brand's stylesheet; null where it has no colours. */
  styleUrl: string | null;
  sky: BrandColours['sky'] | null;
}

const ICON = /<link rel="icon" href="([^"]+)"[^>]*>/;

/**
 * The prerendered page with a brand's name, logo and colours in it: so that nobody sees another brand first. The
 * page's script takes over what stands here, and so finds the brand in the root's attributes.
 */
export function fillShell(template: string, { name, logoUrl, styleUrl, sky }: PaintedBrand): string {
  const ownIcon = ICON.exec(template)?.[1] ?? '';
  let html = template;
  if (logoUrl !== null) html = html.replace(ICON, () => `<link rel="icon" href="${escapeHtml(logoUrl)}">`);
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
  // The attribute is where the script learns of a logo; without one it has its own.
  if (logoUrl === null) html = html.replace(` data-brand-logo="${LOGO_MARK}"`, '');
  return html
    .replaceAll(LOGO_MARK, () => escapeHtml(logoUrl ?? ownIcon))
    .replaceAll(NAME_MARK, () => escapeHtml(name));
}
