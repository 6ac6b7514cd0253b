import { Type } from 'typebox'
import { expectedVersion, type Routes, toArrayResponse } from '#platform/http'
import type { Services } from '#platform/module'
import { getUser } from '../../workspace/user-records/users.queries.ts'
import {
  CreatedUser,
  NewUser,
  UpdatedUser,
  User,
  UserChanges,
  UserFilter,
  UserParams,
} from '../../workspace/user-records/users.schemas.ts'
import { createUser } from './create-user.service.ts'
import { listUsers } from './list-users.queries.ts'
import { createTemporaryPassword } from './temporary-password.ts'
import { updateUser } from './update-user.service.ts'

export const usersRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/users/',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'listUsers',
        summary: 'List users',
        description: 'Sorted by name. Erased users are only included with `status=erased`.',
        querystring: UserFilter,
        response: { 200: Type.Array(User) },
      },
      handler: async (request) =>
        toArrayResponse(await request.inTenant((tx) => listUsers(tx, request.actor, request.query))),
    })

    app.route({
      method: 'POST',
      url: '/api/users/',
      config: { scope: 'users.write', oneTimeFields: ['temporary_password'] },
      schema: {
        operationId: 'createUser',
        summary: 'Create or invite a user',
        description:
          'Sends an invitation that is valid for 7 days; a workspace can send 500 a day. With `send_invite: false` the user is active at once ' +
          'and the response contains a temporary password, valid for 72 hours, which must be changed at the first sign-in. A temporary password and the roles manager and ' +
          'admin require a sign-in within the last 15 minutes. An API key can only send invitations, for the role manager only if it has all ' +
          'scopes of that role, and never for the role admin.',
        body: NewUser,
        response: { 201: CreatedUser },
      },
      handler: async (request) => {
        const now = clock.now()
        const { actor, body } = request
        const temporary = body.send_invite === false ? await createTemporaryPassword(actor.tenantId, now) : null
        return await request.inTenant((tx) => createUser(tx, actor, body, { temporary, now }))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/users/:user_id',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'getUser',
        summary: 'Get a user',
        description: 'Private fields are null unless you are the user or an admin.',
        params: UserParams,
        response: { 200: User },
      },
      handler: (request) => request.inTenant((tx) => getUser(tx, request.actor, request.params.user_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/users/:user_id',
      config: { scope: 'users.write' },
      schema: {
        operationId: 'updateUser',
        summary: 'Update a user',
        description:
          'A new email address must be verified and ends all sessions of the user. Deactivating a user ends all sessions and revokes their ' +
          'API keys; `reassign_to_user_id` starts a task that reassigns their records. You cannot change your own role or status. A new email ' +
          'address, a new role and a reactivation require a sign-in within the last 15 minutes. An API key cannot change admins, email addresses ' +
          'or roles, and can change the status of a user only if it has all scopes of their role.',
        params: UserParams,
        body: UserChanges,
        response: { 200: UpdatedUser },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => updateUser(tx, request.actor, request.params.user_id, update))
      },
    })
  }
