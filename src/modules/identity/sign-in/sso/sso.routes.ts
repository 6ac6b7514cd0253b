import { inTenant } from '#platform/db'
import { ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { publicSsoRoutes } from './sso.public.routes.ts'
import { OktaTest } from './sso.schemas.ts'
import { createSsoServices } from './sso-services.ts'
import { testOktaConnection } from './test-okta.flow.ts'

export const ssoRoutes =
  (services: Services): Routes =>
  async (app) => {
    const sso = createSsoServices(services)
    await app.register(publicSsoRoutes(sso))

    app.route({
      method: 'POST',
      url: '/api/admin/settings/sso/okta/test',
      config: { scope: 'admin.write', humanOnly: true },
      schema: {
        operationId: 'testOktaConnection',
        summary: 'Test the Okta connection',
        description:
          'Checks discovery, issuer, keys and authorization URL with the stored settings, even if Okta is not enabled.',
        response: { 200: OktaTest, 404: ProblemDetails },
      },
      handler: async (request) => {
        const result = await testOktaConnection(sso, (work) => inTenant(services.db, request.actor, work))
        return await request.inTenant(async () => result)
      },
    })
  }
