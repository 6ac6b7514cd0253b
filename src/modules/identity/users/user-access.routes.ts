import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { resendInvite } from './invite-user.service.ts'
import { takeResend } from './resend-limit.ts'
import { resetPassword } from './reset-password.service.ts'
import { signOutEverywhere } from './sign-out-everywhere.service.ts'
import { makeTemporaryPassword } from './temporary-password.ts'
import { ResetPassword, SessionsRevoked } from './user-activity.schemas.ts'
import { Invite, UserParams } from './users.schemas.ts'

/** What an admin does about how somebody gets in. */
export const userAccessRoutes =
  ({ clock, limits }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/users/:user_id/reset-password',
      config: { scope: 'users.write', roles: ['admin'], humanOnly: true, withheld: ['temporary_password'] },
      schema: {
        operationId: 'resetPassword',
        summary: 'Take away a password and give out a way to choose a new one',
        params: UserParams,
        response: { 200: ResetPassword },
      },
      handler: async (request) => {
        const now = clock.now()
        const temporary = await makeTemporaryPassword(now)
        const { user_id } = request.params
        return await request.inTenant((tx) => resetPassword(tx, request.actor, user_id, { temporary, now }))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/users/:user_id/resend-invite',
      config: { scope: 'users.write' },
      schema: {
        operationId: 'resendInvite',
        summary: 'Send an invitation again',
        params: UserParams,
        response: { 200: Invite },
      },
      handler: async (request) => {
        const { user_id } = request.params
        await takeResend(limits, request.actor.tenantId, user_id)
        return await request.inTenant((tx) => resendInvite(tx, request.actor, user_id, clock.now()))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/users/:user_id/sessions',
      config: { scope: 'users.delete' },
      schema: {
        operationId: 'signOutEverywhere',
        summary: 'End every session of a person',
        params: UserParams,
        response: { 200: SessionsRevoked },
      },
      handler: (request) => request.inTenant((tx) => signOutEverywhere(tx, request.actor, request.params.user_id)),
    })
  }
