import { inTenant } from '#platform/db'
import { Problem, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { publicSsoRoutes } from './sso.public.routes.ts'
import { OktaTest } from './sso.schemas.ts'
import { openSso } from './sso-services.ts'
import { testOkta } from './test-okta.flow.ts'

export const ssoRoutes =
  (services: Services): Routes =>
  async (app) => {
    const sso = openSso(services)
    await app.register(publicSsoRoutes(sso))

    app.route({
      method: 'POST',
      url: '/api/admin/settings/sso/okta/test',
      config: { scope: 'admin.write', humanOnly: true },
      schema: {
        operationId: 'testOkta',
        summary: 'Try whether Okta can be reached as it is set up',
        description: 'Takes the settings as they are stored, switched on or not.',
        response: { 200: OktaTest, 404: Problem },
      },
      handler: async (request) => {
        const result = await testOkta(sso, (work) => inTenant(services.db, request.actor, work))
        return await request.inTenant(async () => result)
      },
    })
  }
