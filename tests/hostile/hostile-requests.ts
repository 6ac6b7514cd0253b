import { createHash } from 'node:crypto'
import { buildCall, type Call } from '../matrix/calls.ts'
import type { Client, MatrixTenant } from '../matrix/matrix-tenant.ts'
import type { RouteFixture } from '../matrix/route-fixture.ts'
import type { Route } from '../matrix/routes.ts'
import type { ApiDocument } from './json-schema.ts'
import { type Position, placeInBody } from './positions.ts'
import { insertLiterals } from './values.ts'

/** A valid request with its caller, to which hostile values are added. */
export type ValidRequest = { client: Client; call: Call; tenant: MatrixTenant }
export type HostileCall = { call: Call; headers: Record<string, string> }

/** Creates new records and a new session, because requests with valid values change or end them. */
export async function createValidRequest(
  tenant: MatrixTenant,
  route: Route,
  fixture: RouteFixture,
): Promise<ValidRequest> {
  const isSafe = route.method === 'GET'
  const { admin, anonymous, person } = tenant.workspace
  const user = fixture.public ? undefined : isSafe ? admin : await person('admin')
  const call = await buildCall(route, fixture, tenant, { isFresh: !isSafe, owner: user?.userId })
  return { client: user ?? anonymous, call, tenant }
}

export function placeValue(
  document: ApiDocument,
  call: Call,
  position: Position,
  value: unknown,
  route: Route,
): HostileCall {
  const { part, name } = position
  if (part === 'path') return { call: { ...call, url: replaceSegment(call.url, route, name, value) }, headers: {} }
  if (part === 'query') {
    const [path, query] = call.url.split('?')
    const parameters = new URLSearchParams(query)
    parameters.delete(name)
    return { call: { ...call, url: `${path}?${parameters}&${name}=${encodeText(String(value))}` }, headers: {} }
  }
  if (part === 'header') return { call, headers: { [name.toLowerCase()]: String(value) } }
  const body = JSON.stringify(placeInBody(document, call.payload ?? {}, position, value))
  return { call: { ...call, payload: insertLiterals(body) }, headers: {} }
}

/** Encodes also what `encodeURIComponent` refuses or would escape: a lone surrogate and an invalid byte. */
export function encodeText(text: string): string {
  if (text === '%ff') return text
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}

function replaceSegment(url: string, { url: template }: Route, name: string, value: unknown): string {
  const [path, query] = url.split('?')
  const index = template.split('/').indexOf(`:${name}`)
  const changed = path!.split('/').with(index, String(value)).join('/')
  return query ? `${changed}?${query}` : changed
}

/** Selects `count` of the items. Another seed selects other ones. */
export function drawSample<T>(
  items: readonly T[],
  { seed, count, id }: { seed: string; count: number; id: string },
): T[] {
  const rankOf = (index: number) => createHash('sha256').update(`${seed} ${id} ${index}`).digest('hex')
  const ranked = items.map((item, index) => ({ item, rank: rankOf(index) }))
  return ranked
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ item }) => item)
}
