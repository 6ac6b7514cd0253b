import type { FastifyRequest } from 'fastify'
import { createResponseValidator, type OpenApiDocument } from '../../src/testing/response-validator.ts'
import type { RawRequest } from './odd-requests.ts'
import type { RawResponse } from './send-request.ts'

type ObservedRoute = { method: string; url: string; isDocumented: boolean }

/** Remembers the route of the last request, because an odd path can match another route than the intended one. */
export function createRouteObserver() {
  let last: ObservedRoute | undefined
  return {
    onRequest({ method, is404, routeOptions }: FastifyRequest): void {
      const { url, schema } = routeOptions
      last = { method, url: url ?? '', isDocumented: !is404 && !schema?.hide }
    },
    takeRoute(): ObservedRoute | undefined {
      const taken = last
      last = undefined
      return taken
    },
  }
}

/** Returns a function that describes what is wrong with a response, if anything. */
export function createResponseChecker(document: unknown, canary: string) {
  const validate = createResponseValidator(document as OpenApiDocument)

  return (request: RawRequest, { status, headers, text }: RawResponse, route: ObservedRoute | undefined) => {
    const findings: string[] = []
    if (status >= 500) findings.push(`responded ${status} ${text.slice(0, 300)}`)
    if (`${JSON.stringify(headers)}${text}`.toLowerCase().includes(canary))
      findings.push("contains the other workspace's data")
    // The HTTP parser of Node.js rejected the request.
    if (!route) return findings
    const contentType = String(headers['content-type'] ?? '')
    if (!headers['x-request-id']) findings.push(`responded ${status} without X-Request-Id`)
    if (status >= 400 && request.method !== 'HEAD' && !/^(application\/problem\+json|text\/html)/.test(contentType))
      findings.push(`responded ${status} with an error of type ${contentType}`)
    if (status >= 500 || !route.isDocumented || request.method === 'OPTIONS') return findings
    const method = route.method === 'HEAD' ? 'GET' : route.method
    try {
      validate({ method, route: route.url, status, contentType, body: text })
    } catch (error) {
      findings.push((error as Error).message.slice(0, 600))
    }
    return findings
  }
}
