import { placeValue } from '../hostile/hostile-requests.ts'
import type { ApiDocument } from '../hostile/json-schema.ts'
import { hostileValues } from '../hostile/values.ts'
import type { Call } from '../matrix/calls.ts'
import { type Draw, drawBelow, hasChance, pick, pickWeighted } from './draw.ts'
import { drawCall } from './draw-call.ts'
import type { CallerName, FuzzWorkspace } from './fuzz-workspace.ts'
import { bodyOddities, type RawRequest, transportOddities } from './odd-requests.ts'
import type { Target } from './targets.ts'

/** Contains everything that a request is generated from. */
export type Generation = { draw: Draw; document: ApiDocument; workspace: FuzzWorkspace; caller: CallerName }

/** Generates a valid request and changes it in half of the cases. */
export async function generateRequest(generation: Generation, target: Target): Promise<RawRequest> {
  const { draw, workspace, caller } = generation
  const change = pickWeighted(draw, { none: 50, value: 24, body: 13, transport: 13 })
  const valid = { call: await drawCall(generation, target), headers: {} }
  const { call, headers } = change === 'value' ? placeHostileValues(generation, target, valid.call) : valid
  const text = typeof call.payload === 'object' ? JSON.stringify(call.payload) : call.payload
  const { authorization } = workspace.callers[caller]
  const request: RawRequest = {
    method: call.method,
    url: call.url,
    headers: {
      host: workspace.tenant.workspace.host,
      ...(authorization && { authorization }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...drawHeaders(draw, target),
      ...headers,
    },
    ...(text !== undefined && { body: Buffer.from(String(text)) }),
  }
  if (change === 'body') return pick(draw, bodyOddities)(request, draw)
  return change === 'transport' ? pick(draw, transportOddities)(request, draw) : request
}

function drawHeaders(draw: Draw, { parameters }: Target): Record<string, string> {
  const has = (name: string) => parameters.some((parameter) => parameter.name === name)
  return {
    ...(has('Idempotency-Key') && hasChance(draw, 15) && { 'idempotency-key': `key-${drawBelow(draw, 20)}` }),
    ...(has('If-Match') && hasChance(draw, 15) && { 'if-match': `"${1 + drawBelow(draw, 3)}"` }),
  }
}

/** Places a hostile value in the body, the rest of the request, or both. */
function placeHostileValues({ draw, document, workspace }: Generation, { route, positions }: Target, valid: Call) {
  let changed = { call: valid, headers: {} as Record<string, string> }
  for (const isBody of pick(draw, [[false], [true], [false, true]])) {
    const choices = positions.filter(({ part }) => (part === 'body') === isBody)
    if (!choices.length) continue
    const position = pick(draw, choices)
    const value = pick(draw, hostileValues(position, workspace.cursors.get(route.url)))
    const { call, headers } = placeValue(document, changed.call, position, value, route)
    changed = { call, headers: { ...changed.headers, ...headers } }
  }
  return changed
}
