import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import {
  ApiKey,
  ApiKeyChanges,
  ApiKeyFilter,
  ApiKeyParams,
  CreatedApiKey,
  NewApiKey,
  Rotation,
} from './api-keys.schemas.ts'
import { changeApiKey, createApiKey, getApiKey, listApiKeys, revokeApiKey } from './api-keys.service.ts'
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
        summary: 'List API keys, the newest first',
        description: 'Your own; an admin sees those of everybody.',
        querystring: ApiKeyFilter,
        response: { 200: pageOf(ApiKey) },
      },
      handler: (request) => request.inTenant((tx) => listApiKeys(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/api-keys',
      config: { signedIn: true, withheld: ['key'], tag: 'auth' },
      schema: {
        operationId: 'createApiKey',
        summary: 'Make an API key',
        description: 'The key itself is in this answer and never shown again.',
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
        summary: 'Get one API key, without the key itself',
        params: ApiKeyParams,
        response: { 200: ApiKey },
      },
      handler: (request) => request.inTenant((tx) => getApiKey(tx, request.actor, request.params.key_id, services)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/api-keys/:key_id',
      config: { signedIn: true, tag: 'auth' },
      schema: {
        operationId: 'changeApiKey',
        summary: 'Rename an API key, or change what it may do',
        params: ApiKeyParams,
        body: ApiKeyChanges,
        response: { 200: ApiKey },
      },
      handler: (request) =>
        request.inTenant((tx) => changeApiKey(tx, request.actor, request.params.key_id, request.body, services)),
    })

    app.route({
      method: 'DELETE',
      url: '/api/api-keys/:key_id',
      config: { signedIn: true, tag: 'auth' },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key for good',
        description: 'Its next request is refused. The record stays, so that it can be told what the key was.',
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
      config: { signedIn: true, withheld: ['key'], madeIn: '/api/api-keys', tag: 'auth' },
      schema: {
        operationId: 'rotateApiKey',
        summary: 'Put a new API key in the place of this one',
        description:
          'The new key has the same name, scopes and app, and lives as long as the old one was meant to. The key itself is in this answer and never shown again.',
        params: ApiKeyParams,
        body: Rotation,
        response: { 201: CreatedApiKey },
      },
      handler: (request) =>
        request.inTenant((tx) => rotateApiKey(tx, request.actor, request.params.key_id, request.body, services)),
    })
  }
