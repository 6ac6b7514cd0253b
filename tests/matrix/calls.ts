import { randomUUID } from 'node:crypto'
import type { Answer as Received } from '#testing'
import { type Answer, asReference, type Fixture, type Reference } from './fixture.ts'
import { kinds } from './fixtures.ts'
import type { Client, Place } from './place.ts'
import type { Route } from './routes.ts'

export type Call = { method: string; url: string; payload?: unknown }

/** Where a request names a record. */
export type Spot = { where: 'path' | 'query' | 'body'; at: string; kind: string; answers?: Answer }

type Options = {
  /** Records for this call alone, since it will change them. */
  isFresh?: boolean
  /** Whose records, where they belong to one person. */
  owner?: string
  /** What to put into spots instead of records of the place. */
  swaps?: [Spot, string][]
}

/** A request to the route, with records of the place. */
export async function callTo(
  route: Route,
  fixture: Fixture,
  place: Place,
  { isFresh = false, owner, swaps = [] }: Options = {},
): Promise<Call> {
  const find = (kind: string, parent?: string) => (isFresh ? place.make : place.standing)(kind, { parent, owner })
  const swapped = (where: Spot['where'], at: string) =>
    swaps.find(([spot]) => spot.where === where && spot.at === at)?.[1]

  const own: Record<string, string> = {}
  for (const param of route.params) own[param] = await find(fixture.path![param]!, parentOf(route, fixture, param, own))
  const path = route.url.replace(/:(\w+)/g, (_, param) => encodeURIComponent(swapped('path', param) ?? own[param]!))

  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fixture.query ?? {})) {
    const replaced = swapped('query', `/${name}`)
    if (replaced !== undefined) query.set(name, replaced)
    // A filter by a record would hide what must not be in the list.
    else if (!asReference(value)) query.set(name, String(value))
  }
  const url = query.size ? `${path}?${query}` : path
  if (!fixture.body) return { method: route.method, url }

  const resolve = async (value: unknown, at = ''): Promise<unknown> => {
    const reference = asReference(value)
    if (reference) return swapped('body', at) ?? (await find(reference.kind))
    if (Array.isArray(value)) return Promise.all(value.map((item, index) => resolve(item, `${at}/${index}`)))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(async ([key, item]) => [key, await resolve(item, `${at}/${key}`)])
    return Object.fromEntries(await Promise.all(entries))
  }
  return { method: route.method, url, payload: await resolve(await fixture.body(place)) }
}

function parentOf({ params }: Route, { path = {} }: Fixture, param: string, ids: Record<string, string>) {
  const { within } = kinds[path[param]!]!
  const parent = within && params.find((one) => path[one] === within)
  return parent ? ids[parent] : undefined
}

export async function spotsIn(
  { params }: Route,
  { path = {}, query = {}, body }: Fixture,
  place: Place,
): Promise<Spot[]> {
  const listed = (where: Spot['where'], found: Map<string, Reference>) =>
    [...found].map(([at, { kind, answers }]): Spot => ({ where, at, kind, answers }))
  return [
    ...params.map((at): Spot => ({ where: 'path', at, kind: path[at]! })),
    ...listed('query', referencesIn(query)),
    ...listed('body', referencesIn(await body?.(place))),
  ]
}

/** By the pointer to each. */
export function referencesIn(value: unknown, at = ''): Map<string, Reference> {
  const reference = asReference(value)
  if (reference) return new Map([[at, reference]])
  if (typeof value !== 'object' || value === null) return new Map()
  return new Map(Object.entries(value).flatMap(([key, item]) => [...referencesIn(item, `${at}/${key}`)]))
}

/** What names a record of this kind that nobody has; undefined where there is no such thing. */
export function missing(kind: string): string | undefined {
  const { missing: made = randomUUID } = kinds[kind]!
  return made?.()
}

/** Throws when the answer is one that the machine description does not promise. */
export function send(
  client: Client,
  { method, url, payload }: Call,
  headers?: Record<string, string>,
): Promise<Received> {
  if (method === 'GET') return client.get(url, headers)
  if (method === 'DELETE') return client.delete(url, headers)
  return client[method.toLowerCase() as 'post' | 'patch' | 'put'](url, payload, headers)
}
