import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// The baseline of bench/search-http.ts: a node:http server that sends recorded responses.
const [file = ''] = process.argv.slice(2);
const answers = (
  JSON.parse(readFileSync(file, 'utf8')) as { headers: Record<string, string>; content: string }[]
).map(({ headers, content }) => ({ headers, content: Buffer.from(content, 'base64') }));

const server = createServer((request, response) => {
  if (request.url === '/metrics') {
    const { user, system } = process.cpuUsage();
    response.end(`process_cpu_seconds_total ${(user + system) / 1e6}\n`);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const answer = answers[Number(request.headers['x-nth'])];
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, answer.headers).end(answer.content);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') {
    console.log(`Skylark is at http://127.0.0.1:${address.port}`);
  }
});
