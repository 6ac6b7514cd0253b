import type { FastifyInstance } from 'fastify'
import { createHttp } from '#platform/http'
import type { Services } from '#platform/module'
import { registerSubscriptions } from '#platform/outbox'
import { modules } from './modules.ts'

/** The HTTP application, assembled from the modules. `prepare` sees it before the first route is there. */
export async function buildApp(services: Services, prepare: (app: FastifyInstance) => Promise<void> = async () => {}) {
  registerSubscriptions(modules.flatMap(({ subscriptions = [] }) => subscriptions))
  const app = await createHttp(services)
  await prepare(app)
  for (const module of modules) await app.register(module.routes(services))
  return app
}
