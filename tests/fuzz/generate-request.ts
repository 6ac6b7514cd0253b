import { encodeText, placeValue } from '../hostile/hostile-requests.ts'
import type { ApiDocument, Parameter } from '../hostile/json-schema.ts'
import { resolve } from '../hostile/json-schema.ts'
import { listPositions, type Position } from '../hostile/positions.ts'
import { hostileValues } from '../hostile/values.ts'
import { fixtures, kinds } from '../matrix/fixtures.ts'
import { asReference, type RouteFixture } from '../matrix/route-fixture.ts'
import type { Route } from '../matrix/routes.ts'
import { type Draw, drawBelow, hasChance, pick, pickWeighted } from './draw.ts'
import type { CallerName, FuzzWorkspace } from './fuzz-workspace.ts'
import { bodyOddities, type RawRequest, transportOddities } from './odd-requests.ts'
import { missingIds } from './record-ids.ts'
import { drawValue } from './valid-values.ts'

/** A route with what its requests are generated from. Pages are not in the OpenAPI document and have no parameters. */
export type Target = {
  route: Route
  fixture: RouteFixture
  parameters: Parameter[]
  bodySchema?: object
  positions: Position[]
}

export function toTarget(document: ApiDocument, route: Route): Target {
  const fixture = fixtures[route.name]
  if (!fixture) throw new Error(`${route.name} has no fixture.`)
  const path = route.url.replace(/:(\w+)/g, '{$1}')
  const method = route.method.toLowerCase()
  const operation = document.paths[path]?.[method]
  if (!operation) return { route, fixture, parameters: [], positions: [] }
  return {
    ...{ route, fixture },
    parameters: (operation.parameters ?? []).map((parameter) => resolve(document, parameter)),
    bodySchema: operation.requestBody?.content['application/json']?.schema,
    positions: listPositions(document, method, path),
  }
}

const malformedIds = ['0', 'me', 'null', '..', '%00', '01890000-0000-7000-8000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

type Context = { draw: Draw; document: ApiDocument; workspace: FuzzWorkspace; caller: CallerName }

/** Generates a valid request and changes it in two of three cases. */
export async function generateRequest(context: Context, target: Target): Promise<RawRequest> {
  const { draw, document, workspace, caller } = context
  const change = pickWeighted(draw, { none: 40, value: 26, body: 17, transport: 17 })
  const base = await drawCall(context, target)
  const placed = change === 'value' ? placeHostileValues(context, target, base) : { call: base, headers: {} }
  const { method, url, payload } = placed.call
  const text = typeof payload === 'string' ? payload : payload === undefined ? undefined : JSON.stringify(payload)
  const { authorization } = workspace.callers[caller]
  const request: RawRequest = {
    ...{ method, url },
    headers: {
      host: workspace.tenant.workspace.host,
      ...(authorization && { authorization }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...drawHeaders(draw, target),
      ...placed.headers,
    },
    ...(text !== undefined && { body: Buffer.from(text) }),
  }
  if (change === 'body') return pick(draw, bodyOddities)(request, draw)
  return change === 'transport' ? pick(draw, transportOddities)(request, draw) : request

  function drawHeaders(draw: Draw, { parameters }: Target): Record<string, string> {
    const has = (name: string) => parameters.some((parameter) => parameter.name === name)
    return {
      ...(has('Idempotency-Key') && hasChance(draw, 15) && { 'idempotency-key': `key-${drawBelow(draw, 20)}` }),
      ...(has('If-Match') && hasChance(draw, 15) && { 'if-match': `"${1 + drawBelow(draw, 3)}"` }),
    }
  }

  function placeHostileValues(_: Context, { route, positions }: Target, call: Awaited<ReturnType<typeof drawCall>>) {
    let changed = { call, headers: {} as Record<string, string> }
    for (const isBody of hasChance(draw, 60) ? [true] : [false, true]) {
      const choices = positions.filter(({ part }) => (part === 'body') === isBody)
      if (!choices.length) continue
      const position = pick(draw, choices)
      const value = pick(draw, hostileValues(position, workspace.cursors.get(route.url)))
      const { call: next, headers } = placeValue(document, changed.call, position, value, route)
      changed = { call: next, headers: { ...changed.headers, ...headers } }
    }
    return changed
  }
}

async function drawCall(context: Context, target: Target) {
  const { draw, document, workspace } = context
  const { route, fixture, parameters, bodySchema } = target
  const source = { draw, document, drawId: (field: string) => drawIdOfField(context, field) }
  const path = drawPath(context, target)
  const query: string[] = []
  const usesFixture = hasChance(draw, 50)
  for (const { name, in: part, schema, required } of parameters) {
    if (part !== 'query') continue
    const fixed = fixture.query?.[name]
    if (!required && fixed === undefined && !hasChance(draw, 20)) continue
    const value = drawQueryValue(name, schema, usesFixture ? fixed : undefined)
    query.push(`${name}=${encodeText(String(value))}`)
  }
  const url = query.length ? `${path}?${query.join('&')}` : path
  const hasBody = bodySchema !== undefined || fixture.body !== undefined
  if (!hasBody) return { method: route.method, url }
  const drawn = bodySchema ? drawValue(source, bodySchema) : {}
  if (!usesFixture || !fixture.body) return { method: route.method, url, payload: drawn }
  const fixed = replaceReferences(context, await fixture.body(workspace.tenant))
  // Adds some drawn fields to the valid body of the fixture.
  const added = Object.entries(drawn as object).filter(() => hasChance(draw, 15))
  const payload = { ...Object.fromEntries(added), ...(fixed as object) }
  return { method: route.method, url, payload: closeCleanData(context, route, payload) }

  function drawQueryValue(name: string, schema: Parameter['schema'], fixed: unknown): unknown {
    const reference = asReference(fixed)
    if (reference) return drawId(context, reference.kind)
    if (fixed !== undefined) return fixed
    if (name === 'cursor') return workspace.cursors.get(route.url) ?? 'W10'
    if (name === 'filter') return '{"field":"tags","op":"contains_any","value":["vip"]}'
    return drawValue(source, schema, name)
  }
}

/** The fixture of clean-all-data has a wrong slug; the right one ends the workspace, so it is rare. */
const closeCleanData = ({ draw, workspace }: Context, { url }: Route, payload: object): object =>
  url === '/api/admin/clean-all-data' && hasChance(draw, 30)
    ? { ...payload, confirm: workspace.tenant.workspace.slug }
    : payload

function drawPath(context: Context, { route, fixture, parameters }: Target): string {
  const { draw, document } = context
  const ids: Record<string, string> = {}
  let parent: { kind: string; id: string } | undefined
  for (const param of route.params.toReversed()) {
    const kind = fixture.path![param]!
    const schema = parameters.find(({ name }) => name === param)?.schema
    if (parent?.kind === kind && hasChance(draw, 90)) ids[param] = parent.id
    else if (kinds[kind]!.isGlobal && schema && hasChance(draw, 40))
      ids[param] = String(drawValue({ draw, document, drawId: () => 'none' }, schema))
    else {
      const record = drawRecord(context, kind)
      ids[param] = record.id
      const { parentKind } = kinds[kind]!
      parent = parentKind && record.parent ? { kind: parentKind, id: record.parent } : undefined
    }
  }
  return route.url.replace(/:(\w+)/g, (_, param) => encodeURIComponent(ids[param]!))
}

function drawIdOfField(context: Context, field: string): string {
  const { draw, workspace } = context
  const own = workspace.callers[context.caller].userId
  const choices = workspace.kindsByField.get(field) ?? [...workspace.ownIds.keys()]
  const kind = pick(draw, choices)
  return own && kind === 'user' && hasChance(draw, 15) ? own : drawId(context, kind)
}

const drawId = (context: Context, kind: string): string => drawRecord(context, kind).id

function drawRecord({ draw, workspace }: Context, kind: string): { id: string; parent?: string } {
  const index = drawBelow(draw, 1_000_000)
  const origin = pickWeighted(draw, { own: 80, foreign: 10, missing: 6, malformed: 4 })
  const at = <T>(items: readonly T[] = []): T | undefined => items[index % items.length]
  const own = at(workspace.ownIds.get(kind)) ?? { id: missingIds[0]! }
  if (origin === 'own') return own
  if (origin === 'foreign') return at(workspace.foreignIds.get(kind)) ?? own
  return { id: at(origin === 'missing' ? missingIds : malformedIds)!, parent: own.parent }
}

function replaceReferences(context: Context, value: unknown): unknown {
  const reference = asReference(value)
  if (reference) return drawId(context, reference.kind)
  if (Array.isArray(value)) return value.map((item) => replaceReferences(context, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceReferences(context, item)]))
}
