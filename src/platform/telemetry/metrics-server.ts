import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

/** Serves metrics on a separate port, so that they are not publicly reachable. Port 0 picks a free port. */
export async function startMetricsServer({ metrics, port, host }: { metrics: Metrics; port: number; host: string }) {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    respond(metrics, request, response).catch(() => response.writeHead(500).end())
  })
  server.maxConnections = 50
  server.listen(port, host)
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(metrics: Metrics, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume()
  if (request.url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end()
  if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end()
  const text = await metrics.text()
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text)
}
