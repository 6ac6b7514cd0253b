import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { getUser } from '../../workspace/user-records/users.queries.ts'
import { OwnProfileChanges, User, UserParams } from '../../workspace/user-records/users.schemas.ts'
import { Profile, ProfileQuery } from './profile.schemas.ts'
import { getUserProfile, profilePartPoint, updateOwnProfile } from './profile.service.ts'

export const profileRoutes =
  ({ clock, cache, registry }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/users/:user_id/profile',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'getUserProfile',
        summary: 'Get a user profile',
        description:
          'Returns the user with teams, manager, direct reports, recent activity and figures from other modules. A figure is null if ' +
          'you lack the scope for it. Figures are cached for 30 seconds.',
        params: UserParams,
        querystring: ProfileQuery,
        response: { 200: Profile },
      },
      handler: (request) => {
        const { period_days: periodDays } = request.query
        const context = { parts: registry.extensionsOf(profilePartPoint), cache, periodDays, now: clock.now() }
        return request.inTenant((tx) => getUserProfile(tx, request.actor, request.params.user_id, context))
      },
    })

    app.route({
      method: 'PATCH',
      url: '/api/auth/profile',
      config: { signedIn: true, tag: 'auth' },
      schema: {
        operationId: 'updateOwnProfile',
        summary: 'Update your profile',
        description: 'Fields that are not sent keep their value.',
        body: OwnProfileChanges,
        response: { 200: User },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          await updateOwnProfile(tx, request.actor.userId, request.body, expectedVersion(request))
          return await getUser(tx, request.actor, request.actor.userId)
        }),
    })
  }
