import type { FastifyInstance } from 'fastify'

export type Lifecycle = { state: 'starting' | 'ready' | 'draining' }

/** Lets open requests finish when the server closes. Idle keep-alive connections would delay it, so they are closed. */
export function closeGracefully(app: FastifyInstance, lifecycle: Lifecycle): void {
  app.addHook('preClose', async () => {
    lifecycle.state = 'draining'
    setInterval(() => app.server.closeIdleConnections(), 100).unref()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (lifecycle.state === 'draining') reply.header('connection', 'close')
  })
}
