export type Schema = {
  $ref?: string
  title?: string
  type?: string | string[]
  format?: string
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  minimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  'x-comma-separated'?: true
}

export type Parameter = {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema?: Schema
}
export type Reference = { $ref: string }
export type Media = Record<string, { schema?: Schema }>
export type Answer = { description: string; headers?: Record<string, Reference>; content?: Media }

export type Operation = {
  operationId?: string
  tags?: string[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Media }
  responses: Record<string, Answer | Reference>
  security?: Record<string, string[]>[]
}

/** As much of an OpenAPI document as this service makes use of. */
export type Document = {
  openapi?: string
  info?: object
  servers?: object[]
  security?: Record<string, string[]>[]
  tags?: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    headers?: object
    parameters?: object
    responses?: object
    securitySchemes?: object
  }
}

/** The schema itself, where one is only referred to. */
export function follow({ components }: Pick<Document, 'components'>, schema: Schema | undefined): Schema {
  const name = schema?.$ref?.replace('#/components/schemas/', '')
  return (name === undefined ? schema : components.schemas[name]) ?? {}
}
