import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Calls `onSubject` with the id of the record that a webhook is about. */
export const startWebhookReceiver = (onSubject: (id: string) => void) =>
  startServer(async (request, response) => {
    const { subject } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    response.writeHead(204).end()
    onSubject(subject.id)
  })

/** Accepts connections and never responds. */
export const startHangingServer = () => startServer(() => {})

async function startServer(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close().closeAllConnections(),
  }
}
