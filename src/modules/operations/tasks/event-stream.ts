import { Readable } from 'node:stream'

/** What a reader may leave unread before we stop waiting for them. */
const maxUnreadBytes = 256 * 1024

/** The second keeps a proxy from gathering events before it passes them on. */
export const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

export type EventStream = {
  readonly body: Readable
  send(event: { name: string; id?: number; data: unknown }): void
  /** A line nobody acts on: it shows both ends that the other one is there. */
  beat(): void
  /** Everything sent so far still arrives. */
  end(): void
}

/** Server-sent events. `onClose` is called once, however the stream ends. */
export function openEventStream({ onClose }: { onClose: () => void }): EventStream {
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

  // Also sends the headers: without a first line the reader would wait for the first event to see them.
  write('retry: 3000\n\n')
  return {
    body,
    send: ({ name, id, data }) =>
      write(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
    beat: () => write(': still here\n\n'),
    end() {
      if (!hasEnded && !body.destroyed) body.push(null)
      hasEnded = true
    },
  }
}

/** What the reader has seen, by its own word; nothing if it is not one of our numbers. */
export function lastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : 0
}
