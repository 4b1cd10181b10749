import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Airport } from '../../domain/airport.ts';
import { todayInLondon } from '../../domain/calendar-date.ts';
import type { Destination } from '../../domain/destination.ts';
import { indexDestinations, withOtherNames } from '../../domain/destination-index.ts';
import type { OtherNames } from '../../domain/other-names.ts';
import { packagesOf } from '../hotel-page/find-hotel.ts';
import { type HotelFacts, hotelFacts } from '../hotel-page/hotel-facts.ts';
import { HOTEL_UNITS } from '../hotel-page/hotel-page-plugin.ts';
import { readHotelSearch } from '../hotel-page/hotel-search.ts';
import { httpCaller } from '../http/http-caller.ts';
import type { Caller } from '../lib/caller.ts';
import { VERSION } from '../lib/version.ts';
import type { Charge } from '../package-search/graphql/allowance.ts';
import { askSearch, tooMany } from '../package-search/graphql/ask-search.ts';
import type { ExecuteGraphql } from '../package-search/graphql/execute-graphql.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import type { PriceAnalyses } from '../price-history/price-analyses.ts';
import { toolServer } from './tools.ts';

export interface McpOptions {
  repository: PackageRepository;
  priceAnalyses: PriceAnalyses;
  executeGraphql: ExecuteGraphql;
  charge: Charge;
  lists: { airports: readonly Airport[]; destinations: readonly Destination[]; otherNames: OtherNames };
  brandCode: string;
  brandName: string;
  publicUrl: string | null;
  isProduction: boolean;
  tokenKey: Uint8Array;
  now: () => number;
}

/** `/mcp`: tools for assistants, by the Model Context Protocol over HTTP, without sessions. */
export async function mcpPlugin(app: FastifyInstance, options: McpOptions): Promise<void> {
  const { repository, lists, brandCode, brandName, publicUrl, isProduction, now } = options;
  const destinations = withOtherNames(indexDestinations(lists.destinations), lists.otherNames);

  function serverFor(caller: Caller, origin: string, providerNames: ReadonlyMap<string, string>) {
    const nowMs = now();
    return toolServer({
      brandCode,
      brandName,
      version: VERSION,
      origin,
      providerNames,
      airports: lists.airports,
      destinations,
      ask: askSearch(options.executeGraphql, caller),
      hotelOf: (itemKey) => hotelOf(itemKey, caller, nowMs),
      nowMs,
    });
  }

  async function hotelOf(itemKey: string, caller: Caller, nowMs: number): Promise<HotelFacts | null> {
    const retryAfter = options.charge(caller.client, HOTEL_UNITS);
    if (retryAfter > 0) throw new Error(tooMany(retryAfter));
    const link = linkOf(itemKey);
    if (link === null) return null;
    const search = readHotelSearch(link.query, lists.airports, todayInLondon(nowMs));
    for (const hotel of await repository.hotelsBy({ code: [link.hotelCode] })) {
      const asked = { repository, brandCode, nowMs, caller: { ...caller, units: HOTEL_UNITS } };
      const facts = await hotelFacts(await packagesOf(hotel, search, asked), search, {
        ...options,
        nowMs,
        caller,
      });
      if (facts.chosen?.holiday.ItemKey === itemKey) return facts;
    }
    return null;
  }

  const servers = new WeakMap<Request, () => McpServer>();
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = requestInfo && servers.get(requestInfo);
    if (server === undefined) throw new Error('No request is being served');
    return server();
  });
  app.addHook('onClose', () => handler.close());

  if (publicUrl !== null)
    app.get('/mcp/server.json', (_request, reply) => reply.send(registryEntry(publicUrl, brandName)));

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { isOpen: true, limit: 'store' },
    async handler(request, reply) {
      const origin = publicUrl ?? `${request.protocol}://${request.host}`;
      const asked = webRequest(request, origin);
      const refused = isProduction || publicUrl !== null ? undefined : refusedHost(asked);
      if (refused !== undefined) return reply.send(refused);
      const caller = httpCaller(request, reply);
      const { providers } = await repository.catalogue();
      const names = new Map([...providers.values()].map(({ code, name }) => [code, name]));
      servers.set(asked, () => serverFor(caller, origin, names));
      return reply.send(await handler.fetch(asked, { parsedBody: request.body }));
    },
  });
}

/** What the MCP registry needs to list this server (https://modelcontextprotocol.io/registry/remote-servers). */
function registryEntry(publicUrl: string, brandName: string): object {
  const domain = new URL(publicUrl).hostname.split('.').toReversed().join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${domain}/holidays`,
    title: brandName.slice(0, 100),
    description:
      'Package holidays from the UK, flight and hotel: totals in pounds, with their parts and verdicts',
    version: VERSION,
    websiteUrl: publicUrl,
    remotes: [{ type: 'streamable-http', url: `${publicUrl}/mcp` }],
  };
}

/** On a developer's machine, only local pages may use the server: others could reach it by DNS rebinding. */
function refusedHost(request: Request): Response | undefined {
  return (
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins())
  );
}

/** The request without its body, which Fastify has parsed. */
function webRequest({ method, url, headers }: FastifyRequest, origin: string): Request {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) copied.set(name, String(value));
  return new Request(origin + url, { method, headers: copied });
}

/** The hotel's code and the search that finds a holiday, from its ItemKey. */
function linkOf(itemKey: string): { hotelCode: string; query: string } | null {
  const parts = itemKey.split(':');
  const [, hotel = '', from = '', date = '', nights = '', , , party = ''] = parts;
  const [, adults = '', children = '', infants = ''] = /^(\d+)-(\d+)-(\d+)$/.exec(party) ?? [];
  if (parts.length !== 8 || adults === '') return null;
  const query = new URLSearchParams({ from, date, nights, adults, children, infants, holiday: itemKey });
  try {
    return { hotelCode: decodeURIComponent(hotel), query: query.toString() };
  } catch {
    return null;
  }
}
