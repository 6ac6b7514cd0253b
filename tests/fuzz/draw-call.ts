import { encodeText } from '../hostile/hostile-requests.ts'
import type { Parameter } from '../hostile/json-schema.ts'
import type { Call } from '../matrix/calls.ts'
import { kinds } from '../matrix/fixtures.ts'
import { asReference } from '../matrix/route-fixture.ts'
import { drawBelow, hasChance, pick, pickWeighted } from './draw.ts'
import type { Generation } from './generate-request.ts'
import { missingIds } from './record-ids.ts'
import type { Target } from './targets.ts'
import { drawValue } from './valid-values.ts'

/** Draws a valid request: half of the bodies from the schema, half from the fixture with some fields from the schema. */
export async function drawCall(generation: Generation, target: Target): Promise<Call> {
  const { draw, document, workspace } = generation
  const { route, fixture, bodySchema } = target
  const source = { draw, document, drawId: (field: string) => drawIdOfField(generation, field) }
  const usesFixture = hasChance(draw, 50)
  const path = drawPath(generation, target)
  const query = drawQuery(generation, target, usesFixture)
  const call = { method: route.method, url: query ? `${path}?${query}` : path }
  if (!bodySchema && !fixture.body) return call
  const drawn = bodySchema ? drawValue(source, bodySchema) : {}
  if (!usesFixture || !fixture.body) return { ...call, payload: drawn }
  const fixed = replaceReferences(generation, await fixture.body(workspace.tenant))
  const added = Object.entries(drawn as object).filter(() => hasChance(draw, 15))
  const payload = { ...Object.fromEntries(added), ...(fixed as object) }
  // The fixture has a wrong slug, because the right one ends the workspace.
  const isConfirmed = route.url === '/api/admin/clean-all-data' && hasChance(draw, 50)
  return { ...call, payload: isConfirmed ? { ...payload, confirm: workspace.tenant.workspace.slug } : payload }
}

function drawQuery(generation: Generation, { parameters, fixture, route }: Target, usesFixture: boolean): string {
  const { draw, document, workspace } = generation
  const source = { draw, document, drawId: (field: string) => drawIdOfField(generation, field) }
  const drawParameter = ({ name, schema }: Parameter): unknown => {
    const fixed = usesFixture ? fixture.query?.[name] : undefined
    const reference = asReference(fixed)
    if (reference) return drawRecord(generation, reference.kind).id
    if (fixed !== undefined) return fixed
    if (name === 'cursor') return workspace.cursors.get(route.url) ?? 'W10'
    return name === 'filter' ? pick(draw, filters) : drawValue(source, schema, name)
  }
  return parameters
    .filter(({ in: part }) => part === 'query')
    .filter(({ name, required }) => required || fixture.query?.[name] !== undefined || hasChance(draw, 20))
    .map((parameter) => `${parameter.name}=${encodeText(String(drawParameter(parameter)))}`)
    .join('&')
}

const filters = [
  '{"field":"tags","op":"contains_any","value":["vip"]}',
  '{"all":[{"field":"score","op":"gt","value":10},{"not":{"field":"last_name","op":"contains","value":"a_%"}}]}',
  '{"any":[{"field":"created_at","op":"in_last_days","value":30},{"field":"email","op":"is_empty"}]}',
]

function drawPath(generation: Generation, { route, fixture, parameters }: Target): string {
  const { draw, document } = generation
  const ids: Record<string, string> = {}
  let parent: { kind?: string; id?: string } = {}
  for (const param of route.params.toReversed()) {
    const kind = fixture.path![param]!
    const { isGlobal, parentKind } = kinds[kind]!
    const schema = parameters.find(({ name }) => name === param)?.schema
    const record = drawRecord(generation, kind)
    if (parent.kind === kind && hasChance(draw, 90)) ids[param] = parent.id!
    else if (isGlobal && schema && hasChance(draw, 40))
      ids[param] = String(drawValue({ draw, document, drawId: () => record.id }, schema))
    else ids[param] = record.id
    parent = { kind: record.parent && parentKind, id: record.parent }
  }
  return route.url.replace(/:(\w+)/g, (_, param) => encodeURIComponent(ids[param]!))
}

function drawIdOfField(generation: Generation, field: string): string {
  const { draw, workspace, caller } = generation
  const { userId } = workspace.callers[caller]
  const kind = pick(draw, workspace.kindsByField.get(field) ?? [...workspace.ownIds.keys()])
  return userId && kind === 'user' && hasChance(draw, 15) ? userId : drawRecord(generation, kind).id
}

const malformedIds = ['0', 'me', 'null', '..', '%00', '01890000-0000-7000-8000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/** The drawn numbers do not depend on the number of records, so that a run can be repeated alone. */
function drawRecord({ draw, workspace }: Generation, kind: string): { id: string; parent?: string } {
  const index = drawBelow(draw, 1_000_000)
  const origin = pickWeighted(draw, { own: 84, foreign: 8, missing: 5, malformed: 3 })
  const at = <T>(items: readonly T[] = []): T | undefined => items[index % items.length]
  const own = at(workspace.ownIds.get(kind)) ?? { id: missingIds[0]! }
  if (origin === 'own') return own
  if (origin === 'foreign') return at(workspace.foreignIds.get(kind)) ?? own
  return { id: at(origin === 'missing' ? missingIds : malformedIds)!, parent: own.parent }
}

function replaceReferences(generation: Generation, value: unknown): unknown {
  const reference = asReference(value)
  if (reference) return drawRecord(generation, reference.kind).id
  if (Array.isArray(value)) return value.map((item) => replaceReferences(generation, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceReferences(generation, item)]))
}
