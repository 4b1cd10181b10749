import type { FastifyInstance } from 'fastify';
import { AFTER_LINK } from '../../domain/link-parameters.ts';
import type { HtmlPage } from './html-page.ts';

/**
 * Responds to unknown URLs: with a page for browser navigation, else with JSON. Redirects a link that was copied
 * with the punctuation after it.
 */
export function addNotFound(app: FastifyInstance): void {
  const page = app.writePage(NOT_FOUND);
  app.setNotFoundHandler((request, reply) => {
    const intended = withoutPunctuation(request.url);
    if (
      request.method === 'GET' &&
      intended !== null &&
      app.hasRoute({ method: 'GET', url: intended.path })
    ) {
      return reply.redirect(intended.path + intended.query, 302);
    }
    reply.code(404);
    // Requests for scripts and pictures accept anything; only navigation asks for text/html.
    if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) {
      return reply.send({ error: 'Not found.' });
    }
    return reply.header('vary', 'accept').type('text/html; charset=utf-8').send(page);
  });
}

/** The path, which Fastify has found to be well-formed, and query without what follows a link in a sentence; null if there is nothing to leave out. */
function withoutPunctuation(url: string): { path: string; query: string } | null {
  const [path = '', ...query] = url.split(/(?=\?)/);
  const decoded = decodeURIComponent(path);
  const intended = decoded.replace(AFTER_LINK, '').replace(/(?<=.)\/+$/, '');
  return intended === decoded ? null : { path: intended, query: query.join('') };
}

const NOT_FOUND: HtmlPage = {
  title: 'Page not found',
  styles: [],
  main: `<main class="plain-text">
<h1>Page not found</h1>
<p>Check the address: part of it may be missing or mistyped.</p>
<p><a href="/">Search for a holiday</a></p>
</main>`,
};
