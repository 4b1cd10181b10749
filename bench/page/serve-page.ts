import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';

export interface ServedPage {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves a built page like a static host: compressed files, `texts` by path, and the front page for other
 * URLs.
 */
export async function servePage(
  folder: string,
  texts: Readonly<Record<string, { type: string; text: string }>>,
): Promise<ServedPage> {
  const app = Fastify({ forceCloseConnections: true });
  for (const [path, { type, text }] of Object.entries(texts)) {
    app.get(path, (_request, reply) => reply.type(type).send(text));
  }
  await app.register(fastifyStatic, { root: folder, preCompressed: true });
  app.setNotFoundHandler((_request, reply) => reply.sendFile('index.html'));
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
}
