import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type ReceiverKind = 'healthy' | 'slow' | 'flapping' | 'refusing' | 'silent'
export type Receivers = Awaited<ReturnType<typeof startWebhookReceivers>>
type Arrival = { eventId: string; at: number; isAccepted: boolean }

const slowMs = 150
const flappingRate = 0.3

/** Starts one server whose paths behave like receivers of different kinds, and records what arrives at each path. */
export async function startWebhookReceivers() {
  const arrivals = new Map<string, Arrival[]>()
  const server = createServer(async (request, response) => {
    const [, kind, name = ''] = request.url!.split('/')
    request.resume()
    await once(request, 'end')
    const isAccepted = kind !== 'silent' && (kind !== 'flapping' || Math.random() > flappingRate)
    const eventId = String(request.headers['webhook-id'])
    const list = arrivals.get(name) ?? []
    arrivals.set(name, list)
    list.push({ eventId, at: Date.now(), isAccepted })
    if (kind === 'silent') return
    if (kind === 'slow') await sleep(slowMs)
    response.writeHead(isAccepted ? 200 : 500).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port: closedPort } = closed.address() as AddressInfo
  closed.close()
  return {
    urlOf: (kind: ReceiverKind, name: string) =>
      `http://127.0.0.1:${kind === 'refusing' ? closedPort : port}/${kind}/${name}`,
    arrivalsOf: (name: string): readonly Arrival[] => arrivals.get(name) ?? [],
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
