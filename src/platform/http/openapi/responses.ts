import { ProblemDetails } from '../problem.ts'
import type { RefObject, ResponseObject, SchemaObject } from './document.ts'

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
})

export const responseHeaders = {
  'X-Request-Id': text('Id of the request: the one you sent, or a new one.', '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'),
  ETag: text('Version of the record, for `If-Match` or `If-None-Match`.', '"7"'),
  Location: text('URL of the record, or of the redirect.', '/api/users/019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'),
  Link: text('First, previous and next page (RFC 8288).', '</api/users/>; rel="first"'),
  'X-Total-Count': text('Number of items on all pages. Missing if they were not counted.', '128'),
  'X-Total-Relation': text('`gte` if there are more items than `X-Total-Count`.', 'gte'),
  'Idempotency-Replayed': text(
    '`true` if this is the stored response to an earlier request with the same key.',
    'true',
  ),
  'RateLimit-Policy': text('Rate limits of the caller.', '"user";q=600;w=60'),
  RateLimit: text(
    'Remaining requests (`r`), and seconds until the limit is fully available again (`t`).',
    '"user";r=599;t=1',
  ),
  'Retry-After': text('Seconds to wait before a retry.', '5'),
  'WWW-Authenticate': text('Authentication scheme and error code.', 'Bearer error="token_expired"'),
}
export type HeaderName = keyof typeof responseHeaders

const componentName = (header: string) => header.replaceAll('-', '')

export const headerComponents = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, header]) => [componentName(name), header]),
)

export const headersOf = (names: HeaderName[]): Record<string, RefObject> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]))

type ProblemKind = { name: string; description: string; headers?: HeaderName[] }

const problems: Record<number, ProblemKind> = {
  400: { name: 'BadRequest', description: 'Bad request.' },
  401: { name: 'Unauthenticated', description: 'Missing or invalid credential.', headers: ['WWW-Authenticate'] },
  403: { name: 'Forbidden', description: 'Forbidden.' },
  404: { name: 'NotFound', description: 'Not found in this workspace.' },
  408: { name: 'TooSlow', description: 'The body arrives too slowly.' },
  409: { name: 'Conflict', description: 'Conflict with the current state of the resource.' },
  410: { name: 'Gone', description: 'The link has expired.' },
  412: {
    name: 'VersionMismatch',
    description: 'The record has changed since the version in `If-Match`.',
  },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'Unsupported media type.' },
  416: { name: 'RangeNotSatisfiable', description: 'The requested range is not available.' },
  422: { name: 'Invalid', description: 'Invalid request; `errors` lists up to 100 problems.' },
  429: {
    name: 'RateLimited',
    description: 'Too many requests.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  502: { name: 'BadGateway', description: 'A required service returned an invalid response.' },
  503: { name: 'Unavailable', description: 'Temporarily unavailable.', headers: ['Retry-After'] },
}

export const problemHeaders = (status: string): HeaderName[] => problems[Number(status)]?.headers ?? []

const problemType = 'application/problem+json'

export const problemResponse = (status: number) => ({
  description: problems[status]?.description ?? 'Error.',
  content: { [problemType]: { schema: ProblemDetails } },
})

export const responseOrProblem = (status: number, schema: SchemaObject) => ({
  description: problems[status]?.description ?? 'Error.',
  content: { 'application/json': { schema }, [problemType]: { schema: ProblemDetails } },
})

export const problemComponents = Object.fromEntries(
  Object.entries(problems).map(([status, { name, headers: names = [] }]) => [
    name,
    {
      ...problemResponse(Number(status)),
      headers: headersOf(['X-Request-Id', ...names]),
      content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
)

export function sharedProblem(status: string, { content }: ResponseObject): RefObject | undefined {
  const problem = problems[Number(status)]
  const isProblemOnly = content && Object.keys(content).length === 1 && problemType in content
  return problem && isProblemOnly ? { $ref: `#/components/responses/${problem.name}` } : undefined
}
