import {
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type RefObject,
  type ResponseObject,
  resolveSchema,
} from './document.ts'
import { type HeaderName, headersOf, problemHeaders, sharedProblem } from './responses.ts'

export const parameterComponents = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any unique text. Repeated requests with the same key are processed once within 24 hours and get the same response.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'b7c0f4d2-order-17',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      '`ETag` of the last read. If the record has changed since, the request is rejected. Without it the last write wins.',
    schema: { type: 'string', maxLength: 64 },
    example: '"7"',
  },
} as const

export function completeOperations(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const isVersioned = Object.values(operations).some((operation) => returnsVersionedRecord(document, operation))
    const complete = Object.entries(operations).map(([method, operation]) => {
      const isConditional = isVersioned && ['patch', 'put', 'delete'].includes(method)
      return [
        method,
        completeOperation(document, operation, {
          isConditional,
          acceptsIdempotencyKey: acceptsIdempotencyKey(path, method, operation),
        }),
      ]
    })
    return [path, Object.fromEntries(complete)]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

const acceptsIdempotencyKey = (path: string, method: string, { security }: OperationObject) =>
  method === 'post' && !path.startsWith('/api/auth/') && security?.length !== 0

type OperationKind = { isConditional: boolean; acceptsIdempotencyKey: boolean }

function completeOperation(
  document: OpenApiDocument,
  operation: OperationObject,
  kind: OperationKind,
): OperationObject {
  const responses: OperationObject['responses'] = { ...operation.responses }
  if (kind.isConditional) responses[412] = { $ref: '#/components/responses/VersionMismatch' }
  const parameters = [
    ...(operation.parameters ?? []).map(completeParameter),
    ...(kind.acceptsIdempotencyKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(kind.isConditional ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ]
  return {
    ...operation,
    ...(parameters.length > 0 && { parameters }),
    ...(operation.requestBody && {
      requestBody: { ...operation.requestBody, required: !isBodyOptional(document, operation) },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        describeResponse(document, operation, kind, status, response),
      ]),
    ),
  }
}

function completeParameter(parameter: ParameterObject | RefObject): ParameterObject | RefObject {
  if ('$ref' in parameter || parameter.in !== 'query') return parameter
  const { 'x-comma-separated': isList, ...schema } = parameter.schema ?? {}
  const description = [parameter.description, isList && 'Separate several values with commas.'].filter(Boolean)
  return {
    ...parameter,
    schema,
    ...(schema.examples?.length && { example: schema.examples[0] }),
    ...('default' in schema && { required: false }),
    ...(isList && { style: 'form', explode: false }),
    ...(description.length > 0 && { description: description.join(' ') }),
  }
}

const isBodyOptional = (document: OpenApiDocument, { requestBody }: OperationObject) =>
  Object.values(requestBody?.content ?? {}).some(({ schema }) => 'default' in resolveSchema(document, schema))

const statusDescriptions: Record<string, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; processing continues in the background.',
  204: 'Success without a response body.',
  302: 'Redirect.',
  303: 'Redirect.',
  304: 'Not modified.',
}

function describeResponse(
  document: OpenApiDocument,
  operation: OperationObject,
  kind: OperationKind,
  status: string,
  response: ResponseObject | RefObject,
) {
  if ('$ref' in response) return response
  const shared = sharedProblem(status, response)
  if (shared) return shared
  const isDefault = response.description === 'Default Response'
  const headers = headersOf(headerNames(document, operation, kind, status))
  return {
    ...response,
    description: isDefault ? (statusDescriptions[status] ?? 'Success.') : response.description,
    headers: { ...response.headers, ...headers },
  }
}

function headerNames(
  document: OpenApiDocument,
  operation: OperationObject,
  kind: OperationKind,
  status: string,
): HeaderName[] {
  const isSuccess = status.startsWith('2')
  const { type, properties = {} } = resolveSchema(document, jsonSchemaOf(operation, status))
  const isList = 'next_cursor' in properties || (type === 'array' && hasParameter(operation, 'cursor'))
  const hasETag = properties.version?.type === 'integer' || '304' in operation.responses
  const hasLocation = (status === '201' && 'id' in properties) || ['302', '303', '307', '308'].includes(status)
  return [
    'X-Request-Id',
    ...problemHeaders(status),
    ...(hasETag ? (['ETag'] as const) : []),
    ...(hasLocation ? (['Location'] as const) : []),
    ...(isList ? (['Link', 'X-Total-Count', 'X-Total-Relation'] as const) : []),
    ...(isSuccess && kind.acceptsIdempotencyKey ? (['Idempotency-Replayed'] as const) : []),
    ...(isSuccess && '429' in operation.responses ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ]
}

const hasParameter = ({ parameters = [] }: OperationObject, name: string) =>
  parameters.some((parameter) => 'name' in parameter && parameter.name === name)

const jsonSchemaOf = ({ responses }: OperationObject, status: string) => {
  const response = responses[status]
  return response && 'content' in response ? response.content?.['application/json']?.schema : undefined
}

function returnsVersionedRecord(document: OpenApiDocument, operation: OperationObject): boolean {
  const successStatuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
  return successStatuses.some(
    (status) => resolveSchema(document, jsonSchemaOf(operation, status)).properties?.version?.type === 'integer',
  )
}
