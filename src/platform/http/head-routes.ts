import type { FastifyInstance } from 'fastify'

export function addHeadRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', function (this: FastifyInstance, route) {
    if (route.config?.head && route.method === 'GET')
      this.route({ ...route, method: 'HEAD', schema: { ...route.schema, hide: true } })
  })
}
