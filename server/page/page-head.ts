import { escapeHtml } from '../lib/html.ts';
import { SHARE_SIZE } from './share-images.ts';

/** What search engines and link previews show of a page. */
export interface PageHead {
  /** The title without the brand's name. */
  title: string;
  description: string;
  /** The page's path, without parameters. */
  path: string;
  /** Whether search engines may list the page. False for results, which differ by visitor and day. */
  isIndexed: boolean;
  /** The path of the preview picture; null or omitted: the site's, of the size of all drawings. */
  image?: string | null;
}

export interface Site {
  brandName: string;
  /** `PUBLIC_URL` without a final slash. Null: unknown, so absolute URLs are omitted. */
  publicUrl: string | null;
  /** Null: not set. */
  contactEmail?: string | null;
}

const SHARE_IMAGE = '/assets/share.png';
const SHARE_IMAGE_SIZE = [
  meta('property', 'og:image:width', String(SHARE_SIZE.width)),
  meta('property', 'og:image:height', String(SHARE_SIZE.height)),
];

const TITLE = /<title>[^<]*<\/title>/;
const DESCRIPTION = /\s*<meta name="description"[^>]*>/;

/** Inserts title, description, canonical link and Open Graph tags (ogp.me) into a page's HTML. */
export function fillHead(html: string, head: PageHead, site: Site): string {
  const title = `${head.title} | ${site.brandName}`;
  return html
    .replace(DESCRIPTION, '')
    .replace(TITLE, () => `<title>${escapeHtml(title)}</title>\n    ${headTags(head, site).join('\n    ')}`);
}

/** Description, canonical link and Open Graph tags. */
export function headTags(head: PageHead, { brandName, publicUrl }: Site): string[] {
  return [
    meta('name', 'description', head.description),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', brandName),
    meta('property', 'og:locale', 'en_GB'),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', head.description),
    ...(head.isIndexed ? [] : [meta('name', 'robots', 'noindex')]),
    ...(publicUrl === null ? [] : absoluteTags(publicUrl, head)),
  ];
}

function absoluteTags(publicUrl: string, { path, image = null }: PageHead): string[] {
  const url = `${publicUrl}${path}`;
  return [
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    meta('property', 'og:url', url),
    meta('property', 'og:image', `${publicUrl}${image ?? SHARE_IMAGE}`),
    ...(image === null || image.startsWith('/share/') ? SHARE_IMAGE_SIZE : []),
    meta('name', 'twitter:card', 'summary_large_image'),
  ];
}

function meta(key: 'name' | 'property', name: string, content: string): string {
  return `<meta ${key}="${name}" content="${escapeHtml(content)}">`;
}
