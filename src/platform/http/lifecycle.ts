import type { FastifyInstance } from 'fastify'

/** Whether this process takes work: it starts, it is ready, it drains. */
export type Lifecycle = { state: 'starting' | 'ready' | 'draining' }

/**
 * Lets open requests finish when the server closes. Without the sweep, closing would wait for idle keep-alive connections;
 * with Fastify's force it would cut requests that are still being answered.
 */
export function closeGracefully(app: FastifyInstance, lifecycle: Lifecycle): void {
  app.addHook('preClose', async () => {
    lifecycle.state = 'draining'
    setInterval(() => app.server.closeIdleConnections(), 100).unref()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (lifecycle.state === 'draining') reply.header('connection', 'close')
  })
}
