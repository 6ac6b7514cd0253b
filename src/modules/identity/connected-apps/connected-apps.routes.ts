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
  changeConnectedApp,
  connectApp,
  disconnectApp,
  getConnectedApp,
  listConnectedApps,
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
        summary: 'List connected apps, by name',
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
        operationId: 'connectApp',
        summary: 'Connect an app, so that its API keys can be kept together',
        body: NewConnectedApp,
        response: { 201: ConnectedApp },
      },
      handler: (request) => request.inTenant((tx) => connectApp(tx, request.actor, request.body, services)),
    })

    app.route({
      method: 'GET',
      url: '/api/connected-apps/:app_id',
      config: { scope: 'integrations.read', humanOnly: true, roles },
      schema: {
        operationId: 'getConnectedApp',
        summary: 'Get one connected app',
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
        operationId: 'changeConnectedApp',
        summary: 'Change a connected app, disable it or enable it again',
        description: 'The keys of a disabled app answer 403 `connected_app_disabled` until it is enabled again.',
        params: ConnectedAppParams,
        body: ConnectedAppChanges,
        response: { 200: ConnectedApp },
      },
      handler: (request) => {
        const change = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => changeConnectedApp(tx, request.params.app_id, change, services))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/connected-apps/:app_id',
      config: { scope: 'integrations.delete', humanOnly: true, roles },
      schema: {
        operationId: 'disconnectApp',
        summary: 'Remove a connected app and revoke its API keys for good',
        params: ConnectedAppParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const removal = { expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => disconnectApp(tx, request.params.app_id, removal, services))
      },
    })
  }
