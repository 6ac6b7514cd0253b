import { Type } from 'typebox'
import type { Role } from '#platform/access'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import {
  ConnectedApp,
  ConnectedAppChanges,
  ConnectedAppFilter,
  ConnectedAppParams,
  NewConnectedApp,
} from './connected-apps.schemas.ts'
import {
  createConnectedApp,
  deleteConnectedApp,
  getConnectedApp,
  listConnectedApps,
  updateConnectedApp,
} from './connected-apps.service.ts'

const roles: Role[] = ['admin', 'manager']

export const connectedAppsRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/connected-apps',
      config: { scope: 'integrations.read', humanOnly: true, roles },
      schema: {
        operationId: 'listConnectedApps',
        summary: 'List connected apps',
        description: 'Sorted by name.',
        querystring: ConnectedAppFilter,
        response: { 200: pageOf(ConnectedApp) },
      },
      handler: (request) => request.inTenant((tx) => listConnectedApps(tx, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/connected-apps',
      config: { scope: 'integrations.write', humanOnly: true, roles },
      schema: {
        operationId: 'createConnectedApp',
        summary: 'Create a connected app',
        description:
          'A connected app groups API keys and can restrict the networks they are used from. `name` must be unique.',
        body: NewConnectedApp,
        response: { 201: ConnectedApp },
      },
      handler: (request) => request.inTenant((tx) => createConnectedApp(tx, request.actor, request.body, services)),
    })

    app.route({
      method: 'GET',
      url: '/api/connected-apps/:app_id',
      config: { scope: 'integrations.read', humanOnly: true, roles },
      schema: {
        operationId: 'getConnectedApp',
        summary: 'Get a connected app',
        params: ConnectedAppParams,
        response: { 200: ConnectedApp },
      },
      handler: (request) => request.inTenant((tx) => getConnectedApp(tx, request.params.app_id, services)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/connected-apps/:app_id',
      config: { scope: 'integrations.write', humanOnly: true, roles },
      schema: {
        operationId: 'updateConnectedApp',
        summary: 'Update a connected app',
        description:
          'Requests with API keys of a disabled app fail with 403 `connected_app_disabled` until the app is enabled again. Enabling the app and ' +
          'changing `ip_allowlist` require a sign-in within the last 15 minutes.',
        params: ConnectedAppParams,
        body: ConnectedAppChanges,
        response: { 200: ConnectedApp },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateConnectedApp(tx, request.actor, request.params.app_id, update, services))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/connected-apps/:app_id',
      config: { scope: 'integrations.delete', humanOnly: true, roles },
      schema: {
        operationId: 'deleteConnectedApp',
        summary: 'Delete a connected app',
        description: 'Also revokes its API keys. This cannot be undone.',
        params: ConnectedAppParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteConnectedApp(tx, request.params.app_id, options, services))
      },
    })
  }
