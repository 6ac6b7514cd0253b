import type { JsonSchema } from '#platform/schema'

export type SchemaObject = JsonSchema

export type ParameterObject = {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema?: SchemaObject
  example?: unknown
}
export type RefObject = { $ref: string }
export type MediaTypes = Record<string, { schema?: SchemaObject; example?: unknown }>
export type ResponseObject = { description: string; headers?: Record<string, RefObject>; content?: MediaTypes }

export type OperationObject = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: (ParameterObject | RefObject)[]
  requestBody?: { required?: boolean; content: MediaTypes }
  responses: Record<string, ResponseObject | RefObject>
  security?: Record<string, string[]>[]
  /** Resource of a webhook, whose page in the reference shows it. */
  'x-resource'?: string
}

export type OpenApiDocument = {
  openapi?: string
  info?: object
  servers?: object[]
  security?: Record<string, string[]>[]
  tags?: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks?: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, SchemaObject>
    headers?: object
    parameters?: object
    responses?: object
    securitySchemes?: object
  }
}

export function resolveSchema(
  { components }: Pick<OpenApiDocument, 'components'>,
  schema: SchemaObject | undefined,
): SchemaObject {
  const name = schema?.$ref?.replace('#/components/schemas/', '')
  return (name === undefined ? schema : components.schemas[name]) ?? {}
}
