import type { FastifyInstance, RouteOptions } from 'fastify'
import { describeWebhooks } from '#modules/operations'
import { createHttp } from '#platform/http'
import type { RegisteredRoute, Services } from '#platform/module'
import { introduction } from './api-introduction.ts'
import { fieldTexts } from './api-texts/index.ts'
import { modules } from './modules.ts'

export async function buildApp(services: Services, prepare: (app: FastifyInstance) => Promise<void> = async () => {}) {
  const { registry } = services
  const apiTexts = { introduction, fieldTexts, listWebhooks: () => describeWebhooks(registry) }
  const app = await createHttp({ ...services, errors: registry.errors, apiTexts })
  await prepare(app)
  for (const module of modules)
    await app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        registry.routes.push(...toRegisteredRoutes(module.name, route))
      })
      await scope.register(module.routes(services))
    })
  return app
}

function toRegisteredRoutes(module: string, { method, url, schema, config }: RouteOptions): RegisteredRoute[] {
  if (schema?.hide) return []
  const path = url.replace(/:(\w+)/g, '{$1}')
  const access = config?.public ? 'public' : config?.signedIn ? 'signed_in' : 'scope'
  return [method].flat().map((name) => ({ module, method: name, path, access, scope: config?.scope ?? null }))
}
