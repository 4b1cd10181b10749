import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { printSchema } from 'graphql';
import * as v from 'valibot';
import { httpCaller } from '../../http/http-caller.ts';
import { errorBody } from '../../lib/error-codes.ts';
import type { ExecuteGraphql } from './execute-graphql.ts';
import { schema } from './schema.ts';

const body = v.object({
  query: v.string(),
  variables: v.nullish(
    v.pipe(
      v.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
      // Without a prototype, whose `toString` would otherwise be found as a variable.
      v.transform((variables): Record<string, unknown> => Object.assign(Object.create(null), variables)),
    ),
    {},
  ),
  operationName: v.nullish(v.string(), null),
});

/** A request's parameters by GET: `variables` is JSON text (GraphQL over HTTP, section 5.1). */
const parameters = v.pipe(v.looseObject({ variables: v.optional(v.pipe(v.string(), v.parseJson())) }), body);

const BAD_BODY =
  'Send a JSON object with a query (text) and optionally variables (an object) and an operationName (text); or the same as URL parameters, by GET.';

const OVERSPENT = 'Too many searches. Please try again in a moment.';

/** Fastify answers HEAD as GET; CONNECT never reaches it. */
const OTHER_METHODS = METHODS.filter(
  (method) => !['GET', 'POST', 'OPTIONS', 'HEAD', 'CONNECT'].includes(method),
);

/**
 * `/graphql` by POST or GET: checks key, JSON and shape, then answers. Errors in the query have status 200.
 * `/schema.graphql` is public, like the page that uses it.
 */
export function addGraphqlRoute(
  app: FastifyInstance,
  { apiKey, executeGraphql }: { apiKey: string; executeGraphql: ExecuteGraphql },
): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { isOpen: true, limit: 'store' },
    // Answers are compressed already, which is faster than the plugin's streams.
    compress: false,
    async onRequest(request, reply) {
      if (request.headers['x-api-key'] === apiKey) return;
      return reply
        .code(401)
        .send({ error: 'Send the x-api-key header with the key that /config.json gives.' });
    },
    async handler(request, reply) {
      const parsed =
        request.method === 'POST' ? v.safeParse(body, request.body) : v.safeParse(parameters, request.query);
      if (!parsed.success) return reply.code(400).send({ error: BAD_BODY });
      const asked = { ...parsed.output, acceptEncoding: request.headers['accept-encoding'] };
      const response = await executeGraphql(asked, httpCaller(request, reply));
      if (response.kind === 'too costly')
        return reply.code(400).send(errorBody('QUERY_TOO_EXPENSIVE', response.message));
      if (response.kind === 'rate limited') {
        return reply
          .code(429)
          .header('retry-after', String(response.retryAfter))
          .send(errorBody('RATE_LIMITED', OVERSPENT));
      }
      const { answer } = response;
      reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8');
      if (answer.encoding !== null) reply.header('content-encoding', answer.encoding);
      return reply.send(answer.body);
    },
  });

  const schemaText = printSchema(schema);
  app.get('/schema.graphql', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(schemaText),
  );

  for (const method of OTHER_METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const refuse = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply
      .code(405)
      .header('allow', 'GET, HEAD, POST, OPTIONS')
      .send({ error: 'Send searches by POST or GET.' });
  // Refused in `onRequest`, before the body is read and its type checked.
  app.route({
    method: OTHER_METHODS,
    url: '/graphql',
    config: { isOpen: true, limit: 'store' },
    onRequest: refuse,
    handler: refuse,
  });
}
