import type { FastifyInstance } from 'fastify';

/** `/privacy`: what happens to a number that is given for alerts. `folder` is where its files are. */
export function addPrivacyPage(app: FastifyInstance, folder: string): void {
  app.get('/privacy', (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    return reply.sendFile('privacy.html', folder);
  });
  app.get('/privacy/privacy.css', (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    return reply.sendFile('privacy.css', folder);
  });
}
