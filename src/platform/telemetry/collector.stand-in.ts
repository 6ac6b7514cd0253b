import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Cleanup = { after(fn: () => void | Promise<void>): void }
type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: { key: string }[] }

/** Starts an OTLP/HTTP collector that accepts JSON. */
export async function startCollector(t: Cleanup) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    if (request.url === '/v1/traces' && request.method === 'POST') bodies.push(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const spans = () =>
    bodies.flatMap((body): Span[] =>
      JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
        resource.scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, text: () => bodies.join('\n') }
}
