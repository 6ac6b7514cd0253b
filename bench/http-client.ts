import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type HttpRequest = { method?: string; path: string; body?: object }
type ResponseBody = { id: string; next_cursor: string | null; items: { id: string }[]; access_token: string }
type TimedResponse = { status: number; durationMs: number; body: ResponseBody }

/** Sends requests one at a time over one connection and measures them. */
export function createHttpClient(port: number, headers: Record<string, string>, { isKeptAlive = true } = {}) {
  const agent = new Agent({ keepAlive: isKeptAlive, maxSockets: 1 })

  /** Retries 503 responses of an overloaded machine; the duration is that of the last attempt. */
  async function send(httpRequest: HttpRequest, tries = 5): Promise<TimedResponse> {
    for (; ; tries--) {
      const response = await sendOnce(httpRequest)
      if (response.status < 300) return response
      if (response.status !== 503 || tries === 1)
        throw new Error(
          `${httpRequest.method} ${httpRequest.path}: ${response.status} ${JSON.stringify(response.body)}`,
        )
      await sleep(500)
    }
  }

  function sendOnce({ method = 'GET', path, body }: HttpRequest): Promise<TimedResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<TimedResponse>()
    const text = body && JSON.stringify(body)
    const start = performance.now()
    const clientRequest = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      headers: { ...headers, ...(text && { 'content-type': 'application/json' }) },
    })
    clientRequest.once('error', reject)
    clientRequest.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode!, durationMs: performance.now() - start, body: text && JSON.parse(text) })
    })
    clientRequest.end(text)
    return promise
  }
  return { send, close: () => agent.destroy() }
}
