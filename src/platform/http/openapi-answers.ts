import type { Answer, Reference, Schema } from './openapi-document.ts'
import { Problem } from './problem.ts'

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
})

/** The headers answers come with. */
export const headers = {
  'X-Request-Id': text(
    'The id of this request: yours if you sent one, else a new one.',
    '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12',
  ),
  ETag: text('The version of what you read, for `If-Match` or `If-None-Match`.', '"7"'),
  Location: text('Where the record is, or where to go.', '/api/users/019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'),
  Link: text('The first page, the one before and the one after (RFC 8288).', '</api/users/>; rel="first"'),
  'X-Total-Count': text('How many items there are on all pages. Missing where they were not counted.', '128'),
  'X-Total-Relation': text('`gte` when there are more than were counted.', 'gte'),
  'Idempotency-Replayed': text('`true` when this is the kept answer to an earlier request with the same key.', 'true'),
  'RateLimit-Policy': text('The limits that hold for you.', '"user";q=600;w=60'),
  RateLimit: text(
    'What is left of them (`r`), and after how many seconds they are whole again (`t`).',
    '"user";r=599;t=1',
  ),
  'Retry-After': text('After how many seconds it is worth trying again.', '5'),
  'WWW-Authenticate': text('Which credential is asked for.', 'Bearer error="token_expired"'),
}
export type HeaderName = keyof typeof headers

/** Each header's component has the header's name without dashes. */
const componentName = (header: string) => header.replaceAll('-', '')

export const headerComponents = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [componentName(name), header]),
)

export const headersOf = (names: HeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]))

type Refusal = { name: string; description: string; headers?: HeaderName[] }

/** The ways a request is refused. */
const refusals: Record<number, Refusal> = {
  400: { name: 'BadRequest', description: 'Nothing of ours led here.' },
  401: { name: 'Unauthenticated', description: 'No valid credential.', headers: ['WWW-Authenticate'] },
  403: { name: 'Forbidden', description: 'Known, but not allowed.' },
  404: { name: 'NotFound', description: 'There is nothing here, or not for this workspace.' },
  409: { name: 'Conflict', description: 'The state of things does not allow it.' },
  410: { name: 'Gone', description: 'The time of this link is over.' },
  412: {
    name: 'VersionMismatch',
    description: 'Somebody changed the record meanwhile: `If-Match` names an old version.',
  },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is of a kind that is not read here.' },
  416: { name: 'RangeNotSatisfiable', description: 'The file has no such part.' },
  422: { name: 'Invalid', description: 'The request is not valid; `errors` names every problem.' },
  429: {
    name: 'RateLimited',
    description: 'Too many requests.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  502: { name: 'BadGateway', description: 'A service this one needs gave no usable answer.' },
  503: { name: 'Unavailable', description: 'Not available at the moment.', headers: ['Retry-After'] },
}

export const refusalHeaders = (status: string): HeaderName[] => refusals[Number(status)]?.headers ?? []

const problemType = 'application/problem+json'

/** How a route says that it may refuse with this status. */
export const refused = (status: number) => ({
  description: refusals[status]?.description ?? 'Refused.',
  content: { [problemType]: { schema: Problem } },
})

/** A status that has an answer of its own may come as a problem too. */
export const answeredOrRefused = (status: number, own: Schema) => ({
  description: refusals[status]?.description ?? 'Refused.',
  content: { 'application/json': { schema: own }, [problemType]: { schema: Problem } },
})

export const refusalComponents = Object.fromEntries(
  Object.entries(refusals).map(([status, { name, headers: own = [] }]) => [
    name,
    {
      ...refused(Number(status)),
      headers: headersOf(['X-Request-Id', ...own]),
      content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
)

/** The shared component for an answer that says nothing but that. */
export function sharedRefusal(status: string, { content }: Answer): Reference | undefined {
  const refusal = refusals[Number(status)]
  const isPlain = content && Object.keys(content).length === 1 && problemType in content
  return refusal && isPlain ? { $ref: `#/components/responses/${refusal.name}` } : undefined
}
