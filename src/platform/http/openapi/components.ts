import { isDeepStrictEqual } from 'node:util'
import type { MediaTypes, OpenApiDocument, OperationObject, SchemaObject } from './document.ts'

type Node = Record<string, unknown>

/** Keywords whose values can look like schemas but are data. */
export const dataKeywords = new Set(['default', 'enum', 'const', 'example', 'examples'])

/**
 * Names untitled bodies after their operation. Responses get the suffix `Result`, because client generators use `Response`
 * themselves and would number the second type of that name.
 */
export function nameUntitledBodies(document: OpenApiDocument): OpenApiDocument {
  for (const { operationId, requestBody, responses } of Object.values(document.paths).flatMap(
    Object.values<OperationObject>,
  )) {
    const name = `${operationId?.[0]?.toUpperCase()}${operationId?.slice(1)}`
    const jsonBody = requestBody?.content['application/json']
    if (jsonBody?.schema) jsonBody.schema = withDefaultsOptional(jsonBody.schema) as SchemaObject
    setTitle(requestBody, `${name}Request`)
    for (const [status, response] of Object.entries(responses)) {
      if (status.startsWith('2') && 'content' in response) setTitle(response, `${name}Result`)
    }
  }
  return document
}

/** Fields with a default are filled in before validation, so they are optional for the caller. */
function withDefaultsOptional(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withDefaultsOptional)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node as Node)
  const copy = Object.fromEntries(
    entries.map(([key, value]) => [key, dataKeywords.has(key) ? value : withDefaultsOptional(value)]),
  ) as SchemaObject
  const { properties, required } = copy
  if (!properties || !required) return copy
  return { ...copy, required: required.filter((name) => !('default' in properties[name]!)) }
}

function setTitle(body: { content?: MediaTypes } | undefined, title: string): void {
  const media = body?.content?.['application/json']
  if (media?.schema?.type === 'object' && !media.schema.title) media.schema = { ...media.schema, title }
}

export function moveTitledToComponents(document: OpenApiDocument): OpenApiDocument {
  const schemas: Record<string, SchemaObject> = {}

  function visit(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node as Node)
    const copy = Object.fromEntries(entries.map(([key, value]) => [key, dataKeywords.has(key) ? value : visit(value)]))
    return isTitledSchema(copy) ? moveToComponents(copy) : copy
  }

  function moveToComponents(schema: SchemaObject & { title: string }): SchemaObject {
    const { title } = schema
    if (schemas[title] && !isDeepStrictEqual(schemas[title], schema))
      throw new Error(`Two different schemas have the title ${title}: rename one of them.`)
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }

  const paths = visit(document.paths) as OpenApiDocument['paths']
  const webhooks = visit(document.webhooks) as OpenApiDocument['webhooks']
  return { ...document, paths, webhooks, components: { ...document.components, schemas } }
}

const isTitledSchema = (node: Node): node is Node & { title: string } =>
  typeof node.title === 'string' &&
  /^[A-Z]\w*$/.test(node.title) &&
  ['type', 'anyOf', 'enum'].some((key) => key in node)

export function removeUnusedComponents(document: OpenApiDocument): OpenApiDocument {
  const { responses = {}, headers = {}, parameters = {} } = document.components
  const usedResponses = keepReferenced(responses, 'responses', document.paths)
  const usedBy = [document.paths, document.webhooks, usedResponses]
  const components = {
    ...document.components,
    responses: usedResponses,
    headers: keepReferenced(headers, 'headers', usedBy),
    parameters: keepReferenced(parameters, 'parameters', usedBy),
  }
  return { ...document, components }
}

function keepReferenced(components: object, kind: string, usedBy: unknown): object {
  const text = JSON.stringify(usedBy)
  const isUsed = ([name]: [string, unknown]) => text.includes(`"#/components/${kind}/${name}"`)
  return Object.fromEntries(Object.entries(components).filter(isUsed))
}
