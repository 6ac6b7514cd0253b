import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Document, promisesOf } from './answers.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Headers = Record<string, string>
type Sender = { headers?: Headers; host: string; remoteAddress?: string }

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers it has not declared
export type Answer = { status: number; headers: Record<string, any>; body: any; text: string }

/** Sends requests into the application. Every answer is held against the machine description. */
export function sender() {
  let app: FastifyInstance
  const routes = new WeakMap<IncomingMessage, string>()
  let keeps: ReturnType<typeof promisesOf> | undefined

  /** To be called before the routes are there. */
  function observe(empty: FastifyInstance): void {
    app = empty
    empty.addHook('onRequest', async (request) => {
      // Pages for people are not in the machine description, so they promise nothing to machines.
      const isDescribed = !request.is404 && !request.routeOptions.schema?.hide
      if (isDescribed) routes.set(request.raw, request.routeOptions.url!)
    })
  }

  async function send(
    method: Method,
    url: string,
    from: Sender,
    payload?: unknown,
    headers: Headers = {},
  ): Promise<Answer> {
    const response = await app.inject({
      method,
      url,
      remoteAddress: from.remoteAddress ?? '127.0.0.1',
      headers: {
        host: from.host,
        ...from.headers,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })
    const route = routes.get(response.raw.req as IncomingMessage)
    const contentType = String(response.headers['content-type'] ?? '')
    keeps ??= promisesOf((app as unknown as { swagger(): Document }).swagger())
    if (route) keeps({ method, route, status: response.statusCode, contentType, body: response.body })
    const isJson = contentType.includes('json') && response.body !== ''
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? response.json() : undefined,
      text: response.body,
    }
  }

  function client(from: Sender) {
    return {
      get: (url: string, headers?: Headers) => send('GET', url, from, undefined, headers),
      post: (url: string, payload?: unknown, headers?: Headers) => send('POST', url, from, payload, headers),
      patch: (url: string, payload?: unknown, headers?: Headers) => send('PATCH', url, from, payload, headers),
      put: (url: string, payload?: unknown, headers?: Headers) => send('PUT', url, from, payload, headers),
      delete: (url: string, headers?: Headers) => send('DELETE', url, from, undefined, headers),
      /** The same caller from another address, or with other headers. */
      with: (change: Partial<Sender>) =>
        client({ ...from, ...change, headers: { ...from.headers, ...change.headers } }),
    }
  }
  return { observe, client }
}
