import { randomUUID } from 'node:crypto'
import type { TestResponse } from '#testing'
import { kinds } from './fixtures.ts'
import type { Client, MatrixTenant } from './matrix-tenant.ts'
import { asReference, type ExpectedResponse, type Reference, type RouteFixture } from './route-fixture.ts'
import type { Route } from './routes.ts'

export type Call = { method: string; url: string; payload?: unknown; headers?: Record<string, string> }

const boundary = 'matrix'
const uploadHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const toPart = (disposition: string, value: string): string[] => [
  `--${boundary}`,
  `content-disposition: form-data; ${disposition}`,
  '',
  value,
]

function toForm(upload: NonNullable<RouteFixture['upload']>): string {
  const parts =
    upload === true
      ? toPart('name="file"; filename="a.txt"', 'text\ntext')
      : Object.entries(upload).flatMap(([name, value]) => toPart(`name="${name}"`, value))
  return [...parts, `--${boundary}--`, ''].join('\r\n')
}

/** Position of a record id in a request. `name` is a path parameter or a JSON pointer. */
export type IdPosition = { part: 'path' | 'query' | 'body'; name: string; kind: string; expected?: ExpectedResponse }

type Options = {
  /** Creates new records, for calls that change them. */
  isFresh?: boolean
  /** Owner of personal records. */
  owner?: string
  /** Ids to use instead of the tenant's records. */
  replacements?: [IdPosition, string][]
}

/** Builds a request to the route that refers to records of the tenant. */
export async function buildCall(
  route: Route,
  fixture: RouteFixture,
  tenant: MatrixTenant,
  { isFresh = false, owner, replacements = [] }: Options = {},
): Promise<Call> {
  const getRecord = (kind: string, parent?: string) =>
    (isFresh ? tenant.createRecord : tenant.sharedRecord)(kind, { parent, owner })
  const replacementAt = (part: IdPosition['part'], name: string) =>
    replacements.find(([position]) => position.part === part && position.name === name)?.[1]

  const ids: Record<string, string> = {}
  for (const param of route.params)
    ids[param] = await getRecord(fixture.path![param]!, parentOf(route, fixture, param, ids))
  const path = route.url.replace(/:(\w+)/g, (_, param) =>
    encodeURIComponent(replacementAt('path', param) ?? ids[param]!),
  )

  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fixture.query ?? {})) {
    const reference = asReference(value)
    const replacement = replacementAt('query', `/${name}`)
    if (replacement !== undefined) query.set(name, replacement)
    // A filter by an own record would hide foreign records in the list, unless the list has none without it.
    else if (reference?.isRequired) query.set(name, await getRecord(reference.kind))
    else if (!reference) query.set(name, String(value))
  }
  const url = query.size ? `${path}?${query}` : path
  if (fixture.upload) return { method: route.method, url, payload: toForm(fixture.upload), headers: uploadHeaders }
  if (!fixture.body) return { method: route.method, url }

  const resolve = async (value: unknown, pointer = ''): Promise<unknown> => {
    const reference = asReference(value)
    if (reference) return replacementAt('body', pointer) ?? (await getRecord(reference.kind))
    if (Array.isArray(value)) return Promise.all(value.map((item, index) => resolve(item, `${pointer}/${index}`)))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(async ([key, item]) => [key, await resolve(item, `${pointer}/${key}`)])
    return Object.fromEntries(await Promise.all(entries))
  }
  return { method: route.method, url, payload: await resolve(await fixture.body(tenant)) }
}

function parentOf({ params }: Route, { path = {} }: RouteFixture, param: string, ids: Record<string, string>) {
  const { parentKind } = kinds[path[param]!]!
  const parentParam = parentKind && params.find((candidate) => path[candidate] === parentKind)
  return parentParam ? ids[parentParam] : undefined
}

export async function listIdPositions(
  { params }: Route,
  { path = {}, query = {}, body }: RouteFixture,
  tenant: MatrixTenant,
): Promise<IdPosition[]> {
  const toPositions = (part: IdPosition['part'], references: Map<string, Reference>) =>
    [...references].map(([name, { kind, expected }]): IdPosition => ({ part, name, kind, expected }))
  return [
    ...params.map((name): IdPosition => ({ part: 'path', name, kind: path[name]! })),
    ...toPositions('query', referencesIn(query)),
    ...toPositions('body', referencesIn(await body?.(tenant))),
  ]
}

/** Returns the references in a value by JSON pointer. */
export function referencesIn(value: unknown, pointer = ''): Map<string, Reference> {
  const reference = asReference(value)
  if (reference) return new Map([[pointer, reference]])
  if (typeof value !== 'object' || value === null) return new Map()
  return new Map(Object.entries(value).flatMap(([key, item]) => [...referencesIn(item, `${pointer}/${key}`)]))
}

/** Returns an id of this kind without a record, or undefined if there can be none. */
export function createMissingId(kind: string): string | undefined {
  const { missingId = randomUUID } = kinds[kind]!
  return missingId?.()
}

/** Sends the call. Throws if the response does not match the OpenAPI document. */
export function send(
  client: Client,
  { method, url, payload, headers: ownHeaders }: Call,
  requestHeaders?: Record<string, string>,
): Promise<TestResponse> {
  const headers = { ...ownHeaders, ...requestHeaders }
  if (method === 'GET') return client.get(url, headers)
  if (method === 'DELETE') return client.delete(url, headers)
  return client[method.toLowerCase() as 'post' | 'patch' | 'put'](url, payload, headers)
}
