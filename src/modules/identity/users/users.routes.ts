import { Type } from 'typebox'
import { asArray, expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { changeUser } from './change-user.service.ts'
import { createUser } from './create-user.service.ts'
import { eraseUser } from './erase-user.service.ts'
import { listUsers } from './list-users.queries.ts'
import { makeTemporaryPassword } from './temporary-password.ts'
import { userAccessRoutes } from './user-access.routes.ts'
import { userActivityRoutes } from './user-activity.routes.ts'
import { getUser } from './users.queries.ts'
import { ChangedUser, CreatedUser, NewUser, User, UserChanges, UserFilter, UserParams } from './users.schemas.ts'

export const usersRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock, registry } = services
    await app.register(userActivityRoutes(services))
    await app.register(userAccessRoutes(services))

    app.route({
      method: 'GET',
      url: '/api/users/',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'listUsers',
        summary: 'List the people of the workspace, by name',
        querystring: UserFilter,
        response: { 200: Type.Array(User) },
      },
      handler: async (request) => asArray(await request.inTenant((tx) => listUsers(tx, request.actor, request.query))),
    })

    app.route({
      method: 'POST',
      url: '/api/users/',
      config: { scope: 'users.write', withheld: ['temporary_password'] },
      schema: {
        operationId: 'createUser',
        summary: 'Add a person, by invitation or with a temporary password',
        body: NewUser,
        response: { 201: CreatedUser },
      },
      handler: async (request) => {
        const now = clock.now()
        const temporary = request.body.send_invite === false ? await makeTemporaryPassword(now) : null
        return await request.inTenant((tx) => createUser(tx, request.actor, request.body, { temporary, now }))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/users/:user_id',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'getUser',
        summary: 'Get one person',
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
        operationId: 'changeUser',
        summary: 'Change a person, their role or their status',
        params: UserParams,
        body: UserChanges,
        response: { 200: ChangedUser },
      },
      handler: (request) => {
        const change = { changes: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => changeUser(tx, request.actor, request.params.user_id, change))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/users/:user_id',
      config: { scope: 'users.delete', humanOnly: true, freshLogin: true },
      schema: {
        operationId: 'eraseUser',
        summary: 'Erase everything personal about a deactivated user',
        params: UserParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const erasure = { expectedVersion: expectedVersion(request), now: clock.now(), erasures: registry.erasures }
        await request.inTenant((tx) => eraseUser(tx, request.actor, request.params.user_id, erasure))
      },
    })
  }
