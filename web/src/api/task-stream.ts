import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Schemas } from './client.ts'
import { readAccessToken, renewAccessToken } from './session.ts'

type OnStatus = (status: Schemas['TaskStatus']) => void

const reconnectMs = [1_000, 2_000, 5_000]

/** Reads the events of a task until it has ended, or until the stream has failed three times. */
export async function streamTask(taskId: string, onStatus: OnStatus): Promise<void> {
  let lastEventId: string | undefined
  let failures = 0
  while (failures < reconnectMs.length) {
    if (failures > 0) await new Promise((resolve) => setTimeout(resolve, reconnectMs[failures - 1]))
    failures += 1
    try {
      const response = await openStream(taskId, lastEventId)
      if (response.status === 204 || !response.ok || !response.body) return
      const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      for await (const { event, id, data } of readAll(events)) {
        if (event === 'unauthorized') break
        failures = 1
        lastEventId = id ?? lastEventId
        onStatus(JSON.parse(data))
        if (event === 'done') return
      }
    } catch {
      // The connection broke; the next attempt continues after the last event.
    }
  }
}

async function openStream(taskId: string, lastEventId: string | undefined): Promise<Response> {
  const send = (accessToken: string) =>
    fetch(`/api/tasks/${taskId}/events`, {
      headers: { authorization: `Bearer ${accessToken}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
      cache: 'no-store',
    })
  const response = await send(await readAccessToken())
  return response.status === 401 ? await send(await renewAccessToken()) : response
}

/** Not all browsers can iterate over a stream. */
async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    void reader.cancel().catch(() => {})
  }
}
