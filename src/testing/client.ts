import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Role } from '#platform/access'
import { counters } from './counters.ts'
import { recordProblemResponse } from './problem-responses.ts'
import { createResponseValidator, type OpenApiDocument } from './response-validator.ts'

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Headers = Record<string, string>
type Sender = { headers?: Headers; host: string; remoteAddress?: string; role?: Role }

// biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declaring their type
export type TestResponse = { status: number; headers: Record<string, any>; body: any; text: string }

/** A response with its request; `role` is missing if the client is not a user of `person` or `signIn`. */
export type ObservedResponse = TestResponse & { method: string; url: string; role?: Role }
const observers = new Set<(response: ObservedResponse) => void>()

/** Calls a function with every response to the clients of this process; the test fails if it throws. */
export const observeResponses = (observe: (response: ObservedResponse) => void): void => {
  observers.add(observe)
}

// Shared by all applications of a process, because all of them have the same routes.
let validateResponse: ReturnType<typeof createResponseValidator> | undefined

/** A run of all tests verifies the generated document and reads it, because generating it takes more than a second in every process. */
function readDocument(): OpenApiDocument | undefined {
  const { TEST_OPENAPI } = process.env
  return TEST_OPENAPI ? JSON.parse(readFileSync(TEST_OPENAPI, 'utf8')) : undefined
}

/** Creates clients that inject requests into the application and validate every response against the OpenAPI document. */
export function createTestClients() {
  let app: FastifyInstance
  const routes = new WeakMap<IncomingMessage, string>()

  /** Must be called before the routes are registered. */
  function observe(empty: FastifyInstance): void {
    app = empty
    empty.addHook('onRequest', async (request) => {
      // HTML pages are not in the OpenAPI document.
      const isDocumented = !request.is404 && !request.routeOptions.schema?.hide
      if (isDocumented) routes.set(request.raw, request.routeOptions.url!)
    })
  }

  async function send(
    method: Method,
    url: string,
    from: Sender,
    payload?: unknown,
    headers: Headers = {},
  ): Promise<TestResponse> {
    counters.requests++
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
    validateResponse ??= createResponseValidator(
      readDocument() ?? (app as unknown as { swagger(): OpenApiDocument }).swagger(),
    )
    if (route) validateResponse({ method, route, status: response.statusCode, contentType, body: response.body })
    const isJson = /[/+]json\b/.test(contentType) && response.body !== ''
    const body = isJson ? response.json() : undefined
    if (contentType.includes('problem+json')) recordProblemResponse({ method, url, status: response.statusCode, body })
    const received = { status: response.statusCode, headers: response.headers, body, text: response.body }
    for (const observer of observers) observer({ ...received, method, url, role: from.role })
    return received
  }

  function client(from: Sender) {
    return {
      options: (url: string, headers?: Headers) => send('OPTIONS', url, from, undefined, headers),
      head: (url: string, headers?: Headers) => send('HEAD', url, from, undefined, headers),
      get: (url: string, headers?: Headers) => send('GET', url, from, undefined, headers),
      post: (url: string, payload?: unknown, headers?: Headers) => send('POST', url, from, payload, headers),
      patch: (url: string, payload?: unknown, headers?: Headers) => send('PATCH', url, from, payload, headers),
      put: (url: string, payload?: unknown, headers?: Headers) => send('PUT', url, from, payload, headers),
      delete: (url: string, headers?: Headers, payload?: unknown) => send('DELETE', url, from, payload, headers),
      /** Returns the same client with another IP address or other headers. */
      with: (change: Partial<Sender>) =>
        client({ ...from, ...change, headers: { ...from.headers, ...change.headers } }),
    }
  }
  return { observe, client }
}
