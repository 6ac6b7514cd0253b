import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { toUrlProblem } from './webhook-endpoints.rules.ts'
import {
  CreatedWebhookEndpoint,
  EndpointParams,
  NewWebhookEndpoint,
  RotatedWebhookSecret,
  SecretRotation,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointFilter,
} from './webhook-endpoints.schemas.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './webhook-endpoints.service.ts'

export const webhookEndpointRoutes =
  (services: Services): Routes =>
  async (app) => {
    /** Resolves the host before the transaction, because DNS can take seconds. */
    const assertUsableUrl = (url: string) =>
      services.egress.assertUrlAllowed(url).catch((error) => {
        throw toUrlProblem(error)
      })

    app.route({
      method: 'GET',
      url: '/api/webhooks',
      config: { scope: 'webhooks.read' },
      schema: {
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        description: 'Newest first. Secrets are never returned.',
        querystring: WebhookEndpointFilter,
        response: { 200: pageOf(WebhookEndpoint) },
      },
      handler: (request) => request.inTenant((tx) => listWebhookEndpoints(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/webhooks',
      config: { scope: 'webhooks.write', humanOnly: true, freshLogin: true, oneTimeFields: ['secret'] },
      schema: {
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        description:
          'Requires `url` and `event_types`. The host of the URL must resolve to public addresses. The secret is only returned in this ' +
          'response. You can subscribe to events that you can read; events about users and administration require the role admin, and ' +
          'wildcards of other roles do not include them. Events that you may no longer read are not sent, and the endpoint is disabled ' +
          'when you are deactivated or lose `webhooks.write`. A workspace can have 50 endpoints.',
        body: NewWebhookEndpoint,
        response: { 201: CreatedWebhookEndpoint },
      },
      handler: async (request) => {
        await assertUsableUrl(request.body.url)
        return await request.inTenant((tx) => createWebhookEndpoint(tx, request.actor, request.body, services))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/webhooks/:endpoint_id',
      config: { scope: 'webhooks.read' },
      schema: {
        operationId: 'getWebhookEndpoint',
        summary: 'Get a webhook endpoint',
        params: EndpointParams,
        response: { 200: WebhookEndpoint },
      },
      handler: (request) => request.inTenant((tx) => getWebhookEndpoint(tx, request.actor, request.params.endpoint_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/webhooks/:endpoint_id',
      config: { scope: 'webhooks.write' },
      schema: {
        operationId: 'updateWebhookEndpoint',
        summary: 'Update a webhook endpoint',
        description:
          'Disabling skips pending deliveries. Enabling closes the breaker and resets the failures; missed events are delivered only if you ' +
          'recover them. Changing the URL or the event types, and enabling an endpoint whose owner is deactivated or lacks `webhooks.write`, makes you its owner: ' +
          'it requires a sign-in within the last 15 minutes and that you can read all events of the endpoint.',
        params: EndpointParams,
        body: WebhookEndpointChanges,
        response: { 200: WebhookEndpoint },
      },
      handler: async (request) => {
        if (request.body.url !== undefined) await assertUsableUrl(request.body.url)
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return await request.inTenant((tx) =>
          updateWebhookEndpoint(tx, request.actor, request.params.endpoint_id, input, services),
        )
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/webhooks/:endpoint_id',
      config: { scope: 'webhooks.delete' },
      schema: {
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description: 'Pending deliveries are not sent.',
        params: EndpointParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const input = { expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteWebhookEndpoint(tx, request.params.endpoint_id, input, services))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/webhooks/:endpoint_id/rotate-secret',
      config: { scope: 'webhooks.write', humanOnly: true, freshLogin: true, oneTimeFields: ['secret'] },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of an endpoint',
        description:
          'Requests are signed with the new and the old secret during `overlap_seconds`. The new secret is only returned in this response.',
        params: EndpointParams,
        body: SecretRotation,
        response: { 200: RotatedWebhookSecret },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          rotateWebhookSecret(tx, request.actor, request.params.endpoint_id, request.body, services),
        ),
    })
  }
