import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { UserParams } from '../../workspace/user-records/users.schemas.ts'
import { eraseUser } from './erase-user.service.ts'

export const userErasureRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'DELETE',
      url: '/api/users/:user_id',
      config: { scope: 'users.delete', humanOnly: true, freshLogin: true },
      schema: {
        operationId: 'eraseUser',
        summary: "Erase a user's personal data",
        description:
          'Permanently deletes the personal data of a deactivated user. The user remains as "Former user", so that records and audit ' +
          'entries keep their author.',
        params: UserParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const erasure = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => eraseUser(tx, request.actor, request.params.user_id, erasure))
      },
    })
  }
