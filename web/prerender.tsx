import { prerender } from 'react-dom/static';
import type { PrerenderedBrand } from './brand/prerendered-brand.ts';
import { PageRoot } from './PageRoot.tsx';

/** The HTML of the page's root element at a path, without lists, dates or results. */
export async function prerenderPath(path: string, brand: PrerenderedBrand): Promise<string> {
  const { prelude } = await prerender(<PageRoot prerenderedPath={path} brand={brand} />);
  return new Response(prelude).text();
}
