import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { consumeResendAllowance } from '../../credentials/emails/resend-allowance.ts'
import { SessionsRevoked } from '../../workspace/sessions/sessions.schemas.ts'
import { Invite, UserParams } from '../../workspace/user-records/users.schemas.ts'
import { resendInvite } from '../users/create-user.service.ts'
import { createTemporaryPassword } from '../users/temporary-password.ts'
import { resetUserPassword } from './reset-user-password.service.ts'
import { revokeUserSessions, revokeWorkspaceSessions } from './revoke-sessions.service.ts'
import { ResetPassword, WorkspaceSignedOut, WorkspaceSignOut } from './user-access.schemas.ts'

export const userAccessRoutes =
  ({ clock, limits }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/users/:user_id/reset-password',
      config: {
        scope: 'users.write',
        roles: ['admin'],
        humanOnly: true,
        freshLogin: true,
        oneTimeFields: ['temporary_password'],
      },
      schema: {
        operationId: 'resetUserPassword',
        summary: "Reset a user's password",
        description:
          'Disables the current password and revokes all sessions. Depending on `security.password_reset_delivery`, the response contains ' +
          'a temporary password (valid for 72 hours) or the user gets an email with a link (valid for one hour).',
        params: UserParams,
        response: { 200: ResetPassword },
      },
      handler: async (request) => {
        const now = clock.now()
        const temporary = await createTemporaryPassword(request.actor.tenantId, now)
        const { user_id } = request.params
        return await request.inTenant((tx) => resetUserPassword(tx, request.actor, user_id, { temporary, now }))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/users/:user_id/resend-invite',
      config: { scope: 'users.write' },
      schema: {
        operationId: 'resendInvite',
        summary: 'Resend an invitation',
        description:
          'Only for users with the status `invited`, at most five times a day per user and 500 times a day per workspace.',
        params: UserParams,
        response: { 200: Invite },
      },
      handler: async (request) => {
        const { user_id } = request.params
        await consumeResendAllowance(limits, 'invitation', { tenantId: request.actor.tenantId, userId: user_id })
        return await request.inTenant((tx) => resendInvite(tx, request.actor, user_id, clock.now()))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/users/:user_id/sessions',
      config: { scope: 'users.delete' },
      schema: {
        operationId: 'revokeUserSessions',
        summary: "Revoke a user's sessions",
        description: 'Signs the user out on all devices. API keys stay valid.',
        params: UserParams,
        response: { 200: SessionsRevoked },
      },
      handler: (request) => {
        const { actor, params } = request
        return request.inTenant((tx) => revokeUserSessions(tx, actor, params.user_id, clock.now()))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/users/admin/active-sessions',
      config: {
        scope: 'users.delete',
        roles: ['admin'],
        humanOnly: true,
        freshLogin: true,
        notWhileImpersonating: true,
      },
      schema: {
        operationId: 'revokeWorkspaceSessions',
        summary: 'Revoke all sessions of the workspace',
        description:
          'Signs all users out on all devices and ends impersonations, except for your current session. API keys stay valid. Requires ' +
          '`confirm` and a sign-in within the last 15 minutes.',
        querystring: WorkspaceSignOut,
        response: { 200: WorkspaceSignedOut },
      },
      handler: (request) => {
        const { actor, tenant, query } = request
        const signOut = { tenant, confirm: query.confirm, now: clock.now() }
        return request.inTenant((tx) => revokeWorkspaceSessions(tx, actor, signOut))
      },
    })
  }
