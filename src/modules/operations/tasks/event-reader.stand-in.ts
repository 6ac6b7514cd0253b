import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

type Event = { name: string; id: string | null; data: unknown; atMs: number }

type EventReader = {
  status: number
  headers: IncomingMessage['headers']
  events: Event[]
  heartbeats: string[]
  /** Resolves with the duration of the stream when the server has ended it. */
  ended: Promise<number>
  disconnect(): void
}

/** Reads server-sent events over a real connection, like a browser. */
export async function readEvents(port: number, path: string, headers: Record<string, string>): Promise<EventReader> {
  const startMs = performance.now()
  const clientRequest = request({ host: '127.0.0.1', port, path, headers, agent: false })
  clientRequest.end()
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  clientRequest.on('error', () => {})
  const events: Event[] = []
  const heartbeats: string[] = []
  let unread = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (unread + text).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.startsWith(':')) heartbeats.push(block)
      const name = /^event: (.+)$/m.exec(block)?.[1]
      const data = /^data: (.+)$/m.exec(block)?.[1] ?? 'null'
      const id = /^id: (.+)$/m.exec(block)?.[1] ?? null
      if (name) events.push({ name, id, data: JSON.parse(data), atMs: performance.now() })
    }
  })
  const ended = new Promise<number>((resolve) => {
    response.once('close', () => resolve(performance.now() - startMs))
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    heartbeats,
    ended,
    disconnect: () => clientRequest.destroy(),
  }
}
