import { type ApiDocument, createSample, resolve, type Schema, typeOf, variantsOf } from './json-schema.ts'

type Step = { key: string; container: Schema; isVariant: boolean }

/** A place in a request that takes a hostile value. */
export type Position = {
  part: 'path' | 'query' | 'header' | 'body'
  /** Name of the parameter, or JSON pointer of the value. */
  name: string
  schema: Schema
  /** The hostile value is a key of the object at this position. */
  isKey: boolean
  /** In a body: the containers of the value, from the outside. */
  steps: Step[]
}

/** Headers that every operation reads; tried at two of them. */
const commonHeaders = ['authorization', 'x-request-id', 'user-agent']
const operationsWithCommonHeaders = ['get /api/auth/me', 'post /api/teams/']

/** `includesArrays` adds the arrays of the body themselves. */
export function listPositions(
  document: ApiDocument,
  method: string,
  path: string,
  { includesArrays = false } = {},
): Position[] {
  const { parameters = [], requestBody } = document.paths[path]![method]!
  const bodySchema = requestBody?.content['application/json']?.schema
  const hasCommonHeaders = operationsWithCommonHeaders.includes(`${method} ${path}`)
  return [
    ...parameters
      .map((parameter) => resolve(document, parameter))
      .map(({ in: part, name, schema }): Position => ({ part, name, schema, isKey: false, steps: [] })),
    ...(hasCommonHeaders ? commonHeaders : []).map(
      (name): Position => ({ part: 'header', name, schema: { type: 'string' }, isKey: false, steps: [] }),
    ),
    ...(bodySchema ? listBodyPositions(document, bodySchema, [], includesArrays) : []),
  ]
}

const maxDepth = 8

function listBodyPositions(document: ApiDocument, schema: Schema, steps: Step[], includesArrays: boolean): Position[] {
  if (steps.length > maxDepth) return []
  const variants = variantsOf(document, schema)
  return variants.flatMap((variant) => {
    const position: Position = { part: 'body', name: toPointer(steps), schema: variant, isKey: false, steps }
    const enter = (key: string, inner: Schema) =>
      listBodyPositions(
        document,
        inner,
        [...steps, { key, container: variant, isVariant: variants.length > 1 }],
        includesArrays,
      )
    if (typeOf(variant) === 'boolean') return []
    if (typeOf(variant) === 'array') return [...(includesArrays ? [position] : []), ...enter('0', variant.items ?? {})]
    if (typeOf(variant) !== 'object') return [position]
    const { properties = {}, additionalProperties = false } = variant
    const fields = Object.entries(properties).flatMap(([name, inner]) => enter(name, inner))
    if (!additionalProperties) return fields
    const ofKeys = { ...position, isKey: true }
    return additionalProperties === true
      ? [...fields, ofKeys, position]
      : [...fields, ofKeys, ...enter('some_key', additionalProperties)]
  })
}

const toPointer = (steps: Step[]) => steps.map(({ key }) => `/${key}`).join('')

/** Returns the body with the value at the position. Missing containers are created with their required fields. */
export function placeInBody(document: ApiDocument, body: unknown, { steps, isKey, schema }: Position, value: unknown) {
  const place = (current: unknown, [step, ...rest]: Step[]): unknown => {
    if (!step) return isKey ? withKey(document, current, schema, String(value)) : value
    const { key, container, isVariant } = step
    const isReusable = !isVariant && typeof current === 'object' && current !== null
    const base = isReusable ? current : createSample(document, container)
    const inner = place((base as Record<string, unknown>)[key], rest)
    return Array.isArray(base) ? [inner, ...base.slice(1)] : { ...(base as object), [key]: inner }
  }
  return place(body, steps)
}

/** `Object.fromEntries` creates an own property also for `__proto__`. */
function withKey(document: ApiDocument, current: unknown, { additionalProperties }: Schema, key: string): object {
  const inner = typeof additionalProperties === 'object' ? createSample(document, additionalProperties) : 'abc'
  return Object.fromEntries([...Object.entries((current ?? {}) as object), [key, inner]])
}
