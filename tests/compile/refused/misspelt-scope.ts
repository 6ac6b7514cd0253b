import type { Routes } from '#platform/http'

export const routes: Routes = async (app) => {
  app.route({ method: 'GET', url: '/api/users/', config: { scope: 'user.read' }, handler: async () => [] })
}
