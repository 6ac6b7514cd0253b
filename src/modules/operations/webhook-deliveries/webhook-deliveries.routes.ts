import type { Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { AcceptedTask, pageOf } from '#platform/schema'
import { EndpointParams } from '../webhook-endpoints/webhook-endpoints.schemas.ts'
import { recoverWebhookDeliveries } from './recover-deliveries.service.ts'
import { testWebhookEndpoint } from './test-endpoint.flow.ts'
import {
  DeliveryParams,
  RecoverySettings,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryFilter,
  WebhookTestResult,
} from './webhook-deliveries.schemas.ts'
import { getWebhookDelivery, listWebhookDeliveries, redeliverWebhook } from './webhook-deliveries.service.ts'

const testLimit: RouteLimit = { name: 'webhook_test', limit: 10, windowSeconds: 60, per: 'user' }

export const webhookDeliveryRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/webhooks/:endpoint_id/test',
      config: { scope: 'webhooks.write', limits: [testLimit] },
      schema: {
        operationId: 'testWebhookEndpoint',
        summary: 'Test a webhook endpoint',
        description:
          'Sends the event `webhook.test` now and waits up to 15 seconds for the response. Also works while the endpoint is disabled. Limited to 10 requests per minute.',
        params: EndpointParams,
        response: { 200: WebhookTestResult },
      },
      handler: (request) =>
        testWebhookEndpoint(services, request.actor, request.params.endpoint_id, (work) => request.inTenant(work)),
    })

    app.route({
      method: 'GET',
      url: '/api/webhooks/:endpoint_id/deliveries',
      config: { scope: 'webhooks.read' },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List webhook deliveries',
        description:
          'Newest events first. Deliveries are kept for 30 days, or as set in `retention.webhook_delivery_days`. `from` and `to` limit the time of the event.',
        params: EndpointParams,
        querystring: WebhookDeliveryFilter,
        response: { 200: pageOf(WebhookDelivery) },
      },
      handler: (request) =>
        request.inTenant((tx) => listWebhookDeliveries(tx, request.params.endpoint_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/webhooks/:endpoint_id/deliveries/:delivery_id',
      config: { scope: 'webhooks.read' },
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Get a webhook delivery',
        description: 'Includes the payload without `object`.',
        params: DeliveryParams,
        response: { 200: WebhookDeliveryDetails },
      },
      handler: (request) => {
        const { endpoint_id, delivery_id } = request.params
        return request.inTenant((tx) => getWebhookDelivery(tx, request.actor, endpoint_id, delivery_id))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/webhooks/:endpoint_id/deliveries/:delivery_id/redeliver',
      config: { scope: 'webhooks.write' },
      schema: {
        operationId: 'redeliverWebhook',
        summary: 'Redeliver a webhook',
        description:
          'Creates a new delivery of the same event with the same `webhook-id`. The endpoint must be enabled and the delivery finished.',
        params: DeliveryParams,
        response: { 202: WebhookDelivery },
      },
      handler: (request) => {
        const { endpoint_id, delivery_id } = request.params
        return request.inTenant((tx) => redeliverWebhook(tx, request.actor, endpoint_id, delivery_id, services))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/webhooks/:endpoint_id/recover',
      config: { scope: 'webhooks.write' },
      schema: {
        operationId: 'recoverWebhookDeliveries',
        summary: 'Recover webhook deliveries',
        description:
          'Requires `since`, within the retention of deliveries. Starts a task that delivers failed and skipped events again, at the rate of the ' +
          'endpoint, unless a redelivery is pending or succeeded. Events of the last seven days that occurred while the endpoint was ' +
          'disabled are delivered too. The endpoint must be enabled.',
        params: EndpointParams,
        body: RecoverySettings,
        response: { 202: AcceptedTask },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          recoverWebhookDeliveries(tx, request.actor, request.params.endpoint_id, request.body, services),
        ),
    })
  }
