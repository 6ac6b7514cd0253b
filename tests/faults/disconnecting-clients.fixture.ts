import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Stages of a request at which its client disconnects: `body` while it is read, `transaction` while it is open. */
export const stages = ['body', 'onRequest', 'preHandler', 'transaction', 'preSerialization', 'onSend'] as const
export type Stage = (typeof stages)[number]

export type DisconnectingRequest = {
  id: string
  stage: Stage
  method: 'POST' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: object
  /** Milliseconds between the start of `body` or `transaction` and the disconnect. */
  delayMs?: number
}

/** Creates clients for the next application of this process that disconnect when the server reaches a stage of their request. */
export function createDisconnectingClients() {
  const disconnects = new Map<string, { stage: Stage; delayMs: number; disconnect(): void }>()

  async function reach(stage: Stage, request: FastifyRequest): Promise<void> {
    const pending = disconnects.get(request.id)
    if (pending?.stage !== stage) return
    const closed = once(request.raw.socket, 'close')
    pending.disconnect()
    await closed
  }
  function disconnectSoonAfter(stage: Stage, { id }: FastifyRequest): void {
    const pending = disconnects.get(id)
    if (pending?.stage === stage) void sleep(pending.delayMs).then(pending.disconnect)
  }
  const onInitialization = (message: unknown) => {
    unsubscribe('fastify.initialization', onInitialization)
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRequest', (request) => reach('onRequest', request))
    fastify.addHook('preParsing', async (request) => disconnectSoonAfter('body', request))
    fastify.addHook('preHandler', (request) => reach('preHandler', request))
    fastify.addHook('preHandler', async (request) => disconnectSoonAfter('transaction', request))
    fastify.addHook('preSerialization', (request) => reach('preSerialization', request))
    fastify.addHook('onSend', (request) => reach('onSend', request))
  }
  subscribe('fastify.initialization', onInitialization)

  /** Resolves when the client has lost its connection. */
  return async (port: number, request: DisconnectingRequest): Promise<void> => {
    const { id, stage, method, path, body, delayMs = 0 } = request
    const text = body ? JSON.stringify(body) : ''
    const entityHeaders = body && { 'content-type': 'application/json', 'content-length': text.length }
    const headers = { ...request.headers, 'x-request-id': id, ...entityHeaders }
    const client = sendRequest({ host: '127.0.0.1', port, path, method, headers, agent: false })
    const ended = new Promise<void>((resolve) => client.once('error', () => resolve()).once('close', () => resolve()))
    client.on('response', (response) => response.resume())
    disconnects.set(id, { stage, delayMs, disconnect: () => void client.destroy() })
    if (stage === 'body') client.write(text.slice(0, -2))
    else client.end(text)
    await ended
  }
}
