import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

type Event = { name: string; id: string | null; data: unknown; atMs: number }

type Reading = {
  status: number
  headers: IncomingMessage['headers']
  events: Event[]
  /** Lines that begin with a colon. */
  beats: string[]
  /** Resolves when the server has ended the stream, with how long that took. */
  ended: Promise<number>
  leave(): void
}

/** Reads server-sent events from a real connection, as a browser does. */
export async function readEvents(port: number, path: string, headers: Record<string, string>): Promise<Reading> {
  const startMs = performance.now()
  const asked = request({ host: '127.0.0.1', port, path, headers, agent: false })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  asked.on('error', () => {})
  const events: Event[] = []
  const beats: string[] = []
  let unread = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (unread + text).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.startsWith(':')) beats.push(block)
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
    beats,
    ended,
    leave: () => asked.destroy(),
  }
}
