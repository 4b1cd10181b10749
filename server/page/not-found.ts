import type { FastifyInstance } from 'fastify';
import type { HtmlPage, htmlPages } from './html-page.ts';

/** Responds to unknown URLs: with a page for browser navigation, else with JSON. */
export function addNotFound(
  app: FastifyInstance,
  brandName: string,
  write: ReturnType<typeof htmlPages>,
): void {
  const page = write({ ...NOT_FOUND, brandName });
  app.setNotFoundHandler((request, reply) => {
    reply.code(404);
    // Requests for scripts and pictures accept anything; only navigation asks for text/html.
    if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) {
      return reply.send({ error: 'Not found.' });
    }
    return reply.header('vary', 'accept').type('text/html; charset=utf-8').send(page);
  });
}

const NOT_FOUND: Omit<HtmlPage, 'brandName'> = {
  title: 'Page not found',
  styles: [],
  main: `<main class="plain-text">
<h1>Page not found</h1>
<p>Check the address: part of it may be missing or mistyped.</p>
<p><a href="/">Search for a holiday</a></p>
</main>`,
};
