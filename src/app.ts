import type { FastifyInstance } from 'fastify'
import { createHttp } from '#platform/http'
import type { Services } from '#platform/module'
import { modules } from './modules.ts'

export async function buildApp(services: Services, prepare: (app: FastifyInstance) => Promise<void> = async () => {}) {
  const app = await createHttp(services)
  await prepare(app)
  for (const module of modules) await app.register(module.routes(services))
  return app
}
