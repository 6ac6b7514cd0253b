import { Readable } from 'node:stream'

/** Above this, the client is considered gone and the stream is destroyed. */
const maxUnreadBytes = 256 * 1024

/** `x-accel-buffering` keeps proxies from buffering events. */
export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

export type EventStream = {
  readonly body: Readable
  send(event: { name: string; id?: number; data: unknown }): void
  /** Sends a comment line, so that both sides notice a broken connection. */
  sendHeartbeat(): void
  end(): void
}

/** Creates a stream of server-sent events. `onClose` is called exactly once. */
export function createEventStream({ onClose }: { onClose: () => void }): EventStream {
  const body = new Readable({ read() {} })
  body.once('close', onClose)
  let hasEnded = false

  function write(text: string): void {
    if (hasEnded || body.destroyed) return
    if (body.readableLength > maxUnreadBytes) {
      body.destroy()
      return
    }
    body.push(text)
  }

  // The first line makes Node send the headers before the first event.
  write('retry: 3000\n\n')
  return {
    body,
    send: ({ name, id, data }) =>
      write(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
    sendHeartbeat: () => write(': still here\n\n'),
    end() {
      if (!hasEnded && !body.destroyed) body.push(null)
      hasEnded = true
    },
  }
}

/** Returns 0, the beginning of the stream, for a missing or malformed header. */
export function parseLastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : 0
}
