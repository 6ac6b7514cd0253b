import { generateOpenApiDocument } from '../../scripts/openapi.ts'

export type Schema = {
  $ref?: string
  title?: string
  type?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  uniqueItems?: boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  pattern?: string
  format?: string
  enum?: unknown[]
  description?: string
  default?: unknown
  examples?: unknown[]
}
export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
  example?: unknown
}
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  security?: Record<string, string[]>[]
  'x-required-scopes'?: string[]
}
type OpenApiDocument = {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}

export const openApiDocument: OpenApiDocument = JSON.parse(await generateOpenApiDocument())

export const operations = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
)

export const webhooks = Object.entries(openApiDocument.webhooks).map(([type, { post }]) => ({ ...post, type }))

export const requestBodies = operations.flatMap(({ operationId, requestBody }) =>
  Object.entries(requestBody?.content ?? {}).map(([mediaType, media]) => ({ operationId, mediaType, ...media })),
)
