import { isDeepStrictEqual } from 'node:util'
import type { Document, Media, Operation, Schema } from './openapi-document.ts'

type Node = Record<string, unknown>

/** Values, in which something may look like a schema and is none. */
const values = new Set(['default', 'enum', 'const', 'example', 'examples'])

/** What an operation takes and gives is called after it, where it has no name of its own. */
export function nameBodies(document: Document): Document {
  for (const { operationId, requestBody, responses } of Object.values(document.paths).flatMap(
    Object.values<Operation>,
  )) {
    const name = `${operationId?.[0]?.toUpperCase()}${operationId?.slice(1)}`
    const taken = requestBody?.content['application/json']
    if (taken?.schema) taken.schema = withDefaultsOptional(taken.schema) as Schema
    nameUnnamed(requestBody, `${name}Request`)
    for (const [status, answer] of Object.entries(responses)) {
      if (status.startsWith('2') && 'content' in answer) nameUnnamed(answer, `${name}Response`)
    }
  }
  return document
}

/** What has a default need not be sent, whatever the type of the handler says: it is filled in before anything is checked. */
function withDefaultsOptional(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withDefaultsOptional)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node as Node)
  const copy = Object.fromEntries(
    entries.map(([key, value]) => [key, values.has(key) ? value : withDefaultsOptional(value)]),
  ) as Schema
  const { properties, required } = copy
  if (!properties || !required) return copy
  return { ...copy, required: required.filter((name) => !('default' in properties[name]!)) }
}

function nameUnnamed(body: { content?: Media } | undefined, title: string): void {
  const media = body?.content?.['application/json']
  if (media?.schema?.type === 'object' && !media.schema.title) media.schema = { ...media.schema, title }
}

/** Moves every schema that has a title into the components, where all that use it refer to it by that name. */
export function hoistTitled(document: Document): Document {
  const schemas: Record<string, Schema> = {}

  function visit(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node as Node)
    const copy = Object.fromEntries(entries.map(([key, value]) => [key, values.has(key) ? value : visit(value)]))
    return isTitledSchema(copy) ? hoist(copy) : copy
  }

  function hoist(schema: Schema & { title: string }): Schema {
    const { title } = schema
    if (schemas[title] && !isDeepStrictEqual(schemas[title], schema))
      throw new Error(`Two different schemas are called ${title}: give one of them another name.`)
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }

  const paths = visit(document.paths) as Document['paths']
  return { ...document, paths, components: { ...document.components, schemas } }
}

const isTitledSchema = (node: Node): node is Node & { title: string } =>
  typeof node.title === 'string' &&
  /^[A-Z]\w*$/.test(node.title) &&
  ['type', 'anyOf', 'enum'].some((key) => key in node)

/** Nothing is described that no operation uses. */
export function dropUnused(document: Document): Document {
  const { responses = {}, headers = {}, parameters = {} } = document.components
  const usedResponses = keepReferred(responses, 'responses', document.paths)
  const usedBy = [document.paths, usedResponses]
  const components = {
    ...document.components,
    responses: usedResponses,
    headers: keepReferred(headers, 'headers', usedBy),
    parameters: keepReferred(parameters, 'parameters', usedBy),
  }
  return { ...document, components }
}

function keepReferred(components: object, kind: string, usedBy: unknown): object {
  const text = JSON.stringify(usedBy)
  const isUsed = ([name]: [string, unknown]) => text.includes(`"#/components/${kind}/${name}"`)
  return Object.fromEntries(Object.entries(components).filter(isUsed))
}
