import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { createAuthServices } from '../../credentials/tokens/auth-services.ts'
import { UserParams } from '../../workspace/user-records/users.schemas.ts'
import { Impersonation, NewImpersonation } from './impersonation.schemas.ts'
import { impersonateUser } from './impersonation.service.ts'

export const impersonationRoutes = (services: Services): Routes => {
  const { tokens, clock } = createAuthServices(services)
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/api/users/:user_id/impersonate',
      config: {
        scope: 'users.write',
        roles: ['admin'],
        humanOnly: true,
        freshLogin: true,
        oneTimeFields: ['access_token'],
      },
      schema: {
        operationId: 'impersonateUser',
        summary: 'Impersonate a user',
        description:
          'Starts a session that acts as the user for up to 60 minutes. The user is notified and audit entries carry both names. ' +
          'Credentials such as passwords and API keys are not accessible. Starting another impersonation ends the current one.',
        params: UserParams,
        body: NewImpersonation,
        response: { 201: Impersonation },
      },
      handler: (request) => {
        const context = { tokens, now: clock.now() }
        const { actor, params, body } = request
        return request.inTenant((tx) => impersonateUser(tx, actor, params.user_id, body, context))
      },
    })
  }
}
