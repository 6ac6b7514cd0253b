import { type HeaderName, headersOf, refusalHeaders, sharedRefusal } from './openapi-answers.ts'
import {
  type Answer,
  type Document,
  follow,
  type Operation,
  type Parameter,
  type Reference,
} from './openapi-document.ts'

export const parameterComponents = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any text of your own. The same request with the same key is done once within 24 hours, and answered as the first time.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'b7c0f4d2-order-17',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` you read last. If the record has changed since, nothing is done. Without it the last write wins.',
    schema: { type: 'string', maxLength: 64 },
    example: '"7"',
  },
} as const

/** Adds what is the same for every operation of its kind, so that no route has to say it. */
export function completeOperations(document: Document): Document {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const isVersioned = Object.values(operations).some((operation) => isRecord(document, operation))
    const complete = Object.entries(operations).map(([method, operation]) => {
      const isConditional = isVersioned && ['patch', 'put', 'delete'].includes(method)
      return [
        method,
        completed(document, operation, { isConditional, isRepeatable: isRepeatable(path, method, operation) }),
      ]
    })
    return [path, Object.fromEntries(complete)]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

const isRepeatable = (path: string, method: string, { security }: Operation) =>
  method === 'post' && !path.startsWith('/api/auth/') && security?.length !== 0

type Kind = { isConditional: boolean; isRepeatable: boolean }

function completed(document: Document, operation: Operation, kind: Kind): Operation {
  const responses: Operation['responses'] = { ...operation.responses }
  if (kind.isConditional) responses[412] = { $ref: '#/components/responses/VersionMismatch' }
  const parameters = [
    ...(operation.parameters ?? []).map(clarified),
    ...(kind.isRepeatable ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(kind.isConditional ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ]
  return {
    ...operation,
    ...(parameters.length > 0 && { parameters }),
    ...(operation.requestBody && {
      requestBody: { ...operation.requestBody, required: !mayBeLeftOut(document, operation) },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [
        status,
        described(document, operation, kind, status, answer),
      ]),
    ),
  }
}

/** A parameter with a default need not be sent, and a closed set takes several values at once. */
function clarified(parameter: Parameter | Reference): Parameter | Reference {
  if ('$ref' in parameter || parameter.in !== 'query') return parameter
  const { 'x-comma-separated': isList, ...schema } = parameter.schema ?? {}
  const description = [parameter.description, isList && 'Several values are separated by commas.'].filter(Boolean)
  return {
    ...parameter,
    schema,
    ...('default' in schema && { required: false }),
    ...(isList && { style: 'form', explode: false }),
    ...(description.length > 0 && { description: description.join(' ') }),
  }
}

/** A body that has a default is one the caller may leave out. */
const mayBeLeftOut = (document: Document, { requestBody }: Operation) =>
  Object.values(requestBody?.content ?? {}).some(({ schema }) => 'default' in follow(document, schema))

const meaningOf: Record<string, string> = {
  200: 'The answer.',
  201: 'Created.',
  202: 'Accepted: the work goes on after this answer.',
  204: 'Done; there is nothing more to say.',
  302: 'Go on there.',
  303: 'Go on there.',
  304: 'Not changed since you read it.',
}

function described(document: Document, operation: Operation, kind: Kind, status: string, answer: Answer | Reference) {
  if ('$ref' in answer) return answer
  const shared = sharedRefusal(status, answer)
  if (shared) return shared
  const isUnnamed = answer.description === 'Default Response'
  const named = headersOf(headerNames(document, operation, kind, status))
  return {
    ...answer,
    description: isUnnamed ? (meaningOf[status] ?? 'The answer.') : answer.description,
    headers: { ...answer.headers, ...named },
  }
}

function headerNames(document: Document, operation: Operation, kind: Kind, status: string): HeaderName[] {
  const isSuccess = status.startsWith('2')
  const { type, properties = {} } = follow(document, contentOf(operation, status))
  const isList = 'next_cursor' in properties || (type === 'array' && takes(operation, 'cursor'))
  const isTagged = properties.version?.type === 'integer' || '304' in operation.responses
  const isElsewhere = (status === '201' && 'id' in properties) || ['302', '303', '307', '308'].includes(status)
  return [
    'X-Request-Id',
    ...refusalHeaders(status),
    ...(isTagged ? (['ETag'] as const) : []),
    ...(isElsewhere ? (['Location'] as const) : []),
    ...(isList ? (['Link', 'X-Total-Count', 'X-Total-Relation'] as const) : []),
    ...(isSuccess && kind.isRepeatable ? (['Idempotency-Replayed'] as const) : []),
    ...(isSuccess ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ]
}

const takes = ({ parameters = [] }: Operation, name: string) =>
  parameters.some((parameter) => 'name' in parameter && parameter.name === name)

const contentOf = ({ responses }: Operation, status: string) => {
  const answer = responses[status]
  return answer && 'content' in answer ? answer.content?.['application/json']?.schema : undefined
}

/** Whether a good answer is a record that counts its versions. */
function isRecord(document: Document, operation: Operation): boolean {
  const good = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
  return good.some((status) => follow(document, contentOf(operation, status)).properties?.version?.type === 'integer')
}
