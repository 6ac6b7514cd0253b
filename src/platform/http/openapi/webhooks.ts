import type { TSchema } from 'typebox'
import type { OpenApiDocument, OperationObject, SchemaObject } from './document.ts'

export type WebhookDescription = {
  type: string
  resource: string
  description: string
  /** Schema with a title and an example. */
  payload: TSchema
}

export const webhookTag = 'events'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', maxLength: 1_000 },
  example,
})

export const webhookParameters = {
  WebhookId: header(
    'webhook-id',
    'Id of the event, the same in every attempt and redelivery.',
    '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f10',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'Time of the attempt in seconds since 1970.', '1772357400'),
  WebhookSignature: header(
    'webhook-signature',
    'One signature per valid secret, separated by spaces.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
}

const parameters = Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** Adds the section of webhooks, whose payload schemas become components. */
export const addWebhooks =
  (webhooks: readonly WebhookDescription[]) =>
  (document: OpenApiDocument): OpenApiDocument => ({
    ...document,
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.type, { post: toOperation(webhook) }])),
  })

/** Does what @fastify/swagger does with the schemas of routes, so that both refer to the same components. */
const toOpenApiSchema = (schema: TSchema): SchemaObject =>
  JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!value?.patternProperties) return value
    const { patternProperties, ...rest } = value
    return { ...rest, additionalProperties: Object.values(patternProperties)[0] }
  })

function toOperation({ type, resource, description, payload }: WebhookDescription): OperationObject {
  const schema = toOpenApiSchema(payload)
  return {
    operationId: `on${schema.title?.replace(/Event$/, '')}`,
    summary: description,
    description: `Sent for events of the type \`${type}\`, which belongs to \`${resource}\`.`,
    tags: [webhookTag],
    'x-resource': resource,
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      200: { description: 'The event was received; every 2xx status is accepted.' },
      410: { description: 'Disables the endpoint.' },
    },
    security: [],
  }
}
