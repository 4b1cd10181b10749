// Tools for the browser's own assistant (WebMCP, https://webmachinelearning.github.io/webmcp/). Only this file uses
// the API. No tool acts for a person: none reads or changes alerts, lists or other data of the visitor. The file imports
// nothing, so that it takes no bytes from the first load.

interface Tool {
  name: string;
  description: string;
  inputSchema: object;
  annotations: { readOnlyHint: boolean; untrustedContentHint?: boolean };
  execute(input: Record<string, unknown>): Promise<unknown>;
}

type Shown = { inputSchema: { properties: object } };

declare global {
  interface Document {
    readonly modelContext?: { registerTool(tool: Tool): unknown };
  }
}

const MAX_WAIT_MS = 10_000;

const text = (description?: string) => ({ type: 'string', ...(description && { description }) });
const count = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });

const FILL_SEARCH = {
  name: 'fill_search',
  description: 'Fills the search form on this page and runs the search, so that the visitor sees it.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['country', 'from', 'date'],
    properties: {
      country: text('Places exactly as find_places gives them'),
      region: text(),
      resort: text(),
      from: text('One departure airport, IATA code'),
      date: text('Departure day, YYYY-MM-DD'),
      flex: { enum: [0, 1, 3], description: 'Days before and after date' },
      nights: { enum: [4, 7, 10, 14] },
      adults: count(1, 9),
      children: count(0, 9),
      infants: count(0, 9),
    },
  },
  annotations: { readOnlyHint: false },
  execute: (input: Record<string, unknown>): Promise<unknown> =>
    show(new URLSearchParams(), input, FILL_SEARCH),
} satisfies Tool;

const SET_FILTERS = {
  name: 'set_filters',
  description: 'Sets filters and order of the results on this page. Null removes a filter; others stay.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      boards: { type: ['array', 'null'], items: text('AI all-inclusive, HB half board, ...') },
      minstars: { type: ['number', 'null'], minimum: 1, maximum: 5 },
      rating: { type: ['number', 'null'], minimum: 5, maximum: 9, description: 'Lowest guest rating' },
      price: { type: ['string', 'null'], description: 'Pounds in total, such as 300-900' },
      hotel: { type: ['string', 'null'], description: 'Part of the hotel’s name' },
      sort: {
        enum: ['default', 'price-asc', 'price-desc', 'date-asc', 'date-desc', 'stars-desc', 'stars-asc'],
      },
    },
  },
  annotations: { readOnlyHint: false },
  execute(input: Record<string, unknown>): Promise<unknown> {
    if (location.pathname !== '/results')
      throw new Error('There are no results on this page: use fill_search first.');
    const parameters = new URLSearchParams(location.search);
    parameters.delete('page');
    return show(parameters, input, SET_FILTERS);
  },
} satisfies Tool;

/** Offers the page's own tools, and those of the server's `/mcp` where it has one. */
export async function offerTools(): Promise<void> {
  const { modelContext } = document;
  if (modelContext === undefined) return;
  for (const tool of [FILL_SEARCH, SET_FILTERS, ...(await serverTools().catch(() => []))])
    await modelContext.registerTool(tool);
}

async function serverTools(): Promise<Tool[]> {
  const { tools } = await ask<{ tools: Omit<Tool, 'execute'>[] }>('tools/list', {});
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
    annotations: { readOnlyHint: true, untrustedContentHint: true },
    async execute(input) {
      const {
        content,
        structuredContent,
        isError = false,
      } = await ask<{
        content: { text: string }[];
        structuredContent?: unknown;
        isError?: boolean;
      }>('tools/call', { name, arguments: input });
      if (isError) throw new Error(content.map((part) => part.text).join('\n'));
      return structuredContent;
    },
  }));
}

/** One request of the Model Context Protocol, without a session. */
async function ask<Result>(method: string, params: object): Promise<Result> {
  const response = await fetch('/mcp', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  // The answer is JSON, alone or as the one event of a stream.
  const body = await response.text();
  const [, json = body] = /^data: (.*)$/m.exec(body) ?? [];
  const answer = JSON.parse(json) as { result?: Result; error?: { message: string } };
  if (answer.result === undefined)
    throw new Error(answer.error?.message ?? `/mcp answered ${response.status}`);
  return answer.result;
}

/** Opens the search with the values that the tool takes, and says what the page then shows. */
async function show(parameters: URLSearchParams, values: Record<string, unknown>, { inputSchema }: Shown) {
  for (const name of Object.keys(inputSchema.properties).filter((each) => each in values)) {
    parameters.delete(name);
    for (const each of [values[name]].flat())
      if (typeof each === 'number' || (typeof each === 'string' && each !== ''))
        parameters.append(name, String(each));
  }
  // The router (wouter) notices pushState, so this opens the URL.
  history.pushState(null, '', `/results?${parameters.toString()}`);
  const results = await shownResults();
  const textsOf = (selector: string) =>
    [...(results?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent);
  return { headline: textsOf('h2')[0] ?? 'The results are still loading.', notes: textsOf('.url-notes li') };
}

/** The section of the results once it has loaded; null if that takes too long. */
async function shownResults(): Promise<Element | null> {
  for (const end = performance.now() + MAX_WAIT_MS; performance.now() < end; ) {
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    const results = document.querySelector('section.results[aria-label="Results"]');
    if (results?.getAttribute('aria-busy') === 'false') return results;
  }
  return null;
}
