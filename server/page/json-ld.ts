import { type DestinationTuple, shortName } from '../../domain/destination.ts';
import { placePath } from '../../domain/place-path.ts';
import { Html, html } from '../lib/html.ts';

/** Structured data for search engines (schema.org). */
export function jsonLd(...things: readonly (object | false)[]): Html {
  const graph = things.filter((thing) => thing !== false);
  // '<' could end the element.
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll(
    '<',
    '\\u003c',
  );
  return html`<script type="application/ld+json">${new Html(text)}</script>`;
}

/** Where a place is in the site. */
export function breadcrumbs(publicUrl: string, [country, region, resort]: DestinationTuple): object {
  const places: DestinationTuple[] = [
    [country, '', ''],
    [country, region, ''],
    [country, region, resort],
  ];
  const trail = places.filter((place, nth) => place[nth] !== '');
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((place, nth) => ({
      '@type': 'ListItem',
      position: nth + 1,
      name: shortName(place),
      item: publicUrl + placePath(place),
    })),
  };
}

/** Prices change with the next import, a day later at the latest. */
export function validUntil(nowMs: number): string {
  return new Date(nowMs + 86_400_000).toISOString().slice(0, 10);
}
