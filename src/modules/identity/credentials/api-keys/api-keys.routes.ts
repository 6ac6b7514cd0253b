import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import {
  ApiKey,
  ApiKeyChanges,
  ApiKeyFilter,
  ApiKeyParams,
  ApiKeyRotation,
  CreatedApiKey,
  NewApiKey,
} from './api-keys.schemas.ts'
import { createApiKey, getApiKey, listApiKeys, revokeApiKey, updateApiKey } from './api-keys.service.ts'
import { rotateApiKey } from './rotate-api-key.service.ts'

export const apiKeyRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/api-keys',
      config: { signedIn: true, tag: 'auth' },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'Newest first. Users see their own keys, admins see all keys of the workspace.',
        querystring: ApiKeyFilter,
        response: { 200: pageOf(ApiKey) },
      },
      handler: (request) => request.inTenant((tx) => listApiKeys(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/api-keys',
      config: { signedIn: true, freshLogin: true, oneTimeFields: ['key'], tag: 'auth' },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'Requires `scopes` or a preset. The key is only returned in this response and cannot be retrieved later. You are ' +
          'notified of the new key by email.',
        body: NewApiKey,
        response: { 201: CreatedApiKey },
      },
      handler: (request) => request.inTenant((tx) => createApiKey(tx, request.actor, request.body, services)),
    })

    app.route({
      method: 'GET',
      url: '/api/api-keys/:key_id',
      config: { signedIn: true, tag: 'auth' },
      schema: {
        operationId: 'getApiKey',
        summary: 'Get an API key',
        params: ApiKeyParams,
        response: { 200: ApiKey },
      },
      handler: (request) => request.inTenant((tx) => getApiKey(tx, request.actor, request.params.key_id, services)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/api-keys/:key_id',
      config: { signedIn: true, freshLogin: true, tag: 'auth' },
      schema: {
        operationId: 'updateApiKey',
        summary: 'Update an API key',
        description: 'Only active keys can be updated.',
        params: ApiKeyParams,
        body: ApiKeyChanges,
        response: { 200: ApiKey },
      },
      handler: (request) =>
        request.inTenant((tx) => updateApiKey(tx, request.actor, request.params.key_id, request.body, services)),
    })

    app.route({
      method: 'DELETE',
      url: '/api/api-keys/:key_id',
      config: { signedIn: true, tag: 'auth' },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'The key stops working immediately. Revocation cannot be undone; the record is kept for reference.',
        params: ApiKeyParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        await request.inTenant((tx) => revokeApiKey(tx, request.actor, request.params.key_id))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/api-keys/:key_id/rotate',
      config: {
        signedIn: true,
        freshLogin: true,
        oneTimeFields: ['key'],
        collectionPath: '/api/api-keys',
        tag: 'auth',
      },
      schema: {
        operationId: 'rotateApiKey',
        summary: 'Rotate an API key',
        description:
          'Creates a key with the same name, scopes, app and lifetime, and ends the old one after `overlap_seconds`. Only the creator can rotate a key. The new key is only returned in this response.',
        params: ApiKeyParams,
        body: ApiKeyRotation,
        response: { 201: CreatedApiKey },
      },
      handler: (request) =>
        request.inTenant((tx) => rotateApiKey(tx, request.actor, request.params.key_id, request.body, services)),
    })
  }
