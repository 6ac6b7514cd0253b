import type { Routes } from '#platform/http'
import { getUser } from './users.queries.ts'
import { OwnProfileChanges, User } from './users.schemas.ts'
import { changeOwnProfile } from './users.service.ts'

export const ownProfileRoutes: Routes = async (app) => {
  app.route({
    method: 'PATCH',
    url: '/api/auth/profile',
    config: { signedIn: true, tag: 'auth' },
    schema: {
      operationId: 'changeOwnProfile',
      summary: 'Change something about yourself',
      body: OwnProfileChanges,
      response: { 200: User },
    },
    handler: (request) =>
      request.inTenant(async (tx) => {
        await changeOwnProfile(tx, request.actor.userId, request.body)
        return await getUser(tx, request.actor, request.actor.userId)
      }),
  })
}
