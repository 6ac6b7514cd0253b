import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

export type RequestEnd = {
  status: number
  hasClientDisconnected: boolean
  seconds: number
}
type Listener = (request: FastifyRequest, end: RequestEnd) => void

const listenersByApp = new WeakMap<FastifyInstance, Listener[]>()

/** Calls `listener` once per request, also after a disconnect, when Fastify calls no `onResponse`. Register it before the routes. */
export function onRequestEnd(app: FastifyInstance, listener: Listener): void {
  const listeners = listenersByApp.get(app) ?? watchRequests(app)
  listeners.push(listener)
}

type WatchedRequest = { markProcessed(): void }

function watchRequests(app: FastifyInstance): Listener[] {
  const listeners: Listener[] = []
  listenersByApp.set(app, listeners)
  const watched = new WeakMap<FastifyRequest, WatchedRequest>()
  app.addHook('onRequest', async (request, reply) => {
    const report = (end: RequestEnd) => {
      for (const listener of listeners) listener(request, end)
    }
    watched.set(request, watchResponse(reply, report))
  })
  app.addHook('onSend', async (request) => watched.get(request)?.markProcessed())
  app.addHook('onRoute', (route) => {
    route.handler = afterHandler(route.handler, (request) => watched.get(request)?.markProcessed())
  })
  return listeners
}

function watchResponse({ raw }: FastifyReply, report: (end: RequestEnd) => void): WatchedRequest {
  const startedAt = performance.now()
  let [isProcessed, hasEnded, isReported] = [false, raw.destroyed, false]
  function reportOnce(hasClientDisconnected: boolean): void {
    if (isReported) return
    isReported = true
    report({ status: raw.statusCode, hasClientDisconnected, seconds: (performance.now() - startedAt) / 1_000 })
  }
  raw.once('finish', () => reportOnce(false))
  raw.once('close', () => {
    hasEnded = true
    if (isProcessed) reportOnce(true)
  })
  return {
    markProcessed() {
      isProcessed = true
      if (hasEnded) reportOnce(true)
    },
  }
}

/** Fastify sends no response for a handler without a result if the client has disconnected, so `onSend` is not enough. */
function afterHandler(handler: RouteOptions['handler'], onEmptyResult: (request: FastifyRequest) => void) {
  const wrapped: RouteOptions['handler'] = function (request, reply) {
    const result: unknown = handler.call(this, request, reply)
    if (!(result instanceof Promise)) return result
    return result.then((payload) => {
      if (payload === undefined && reply.raw.destroyed) onEmptyResult(request)
      return payload
    })
  }
  return wrapped
}
