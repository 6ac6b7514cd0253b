import { createExample } from '#platform/schema'
import { type OpenApiDocument, type OperationObject, resolveSchema, type SchemaObject } from './document.ts'

const byTitle: Record<string, object> = {
  Problem: {
    type: '/reference/errors/validation_failed',
    title: 'Unprocessable Entity',
    status: 422,
    detail: 'The request is invalid. See `errors` for the problems.',
    code: 'validation_failed',
    request_id: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12',
    errors: [{ in: 'body', path: '/email', code: 'format', message: '`email` must be a valid email address.' }],
  },
}

/** Adds a full example to every named schema, and a minimal one to every request body that does not declare one. */
export function addExamples(document: OpenApiDocument): OpenApiDocument {
  const resolve = (schema: SchemaObject) => resolveSchema(document, schema)
  // @fastify/swagger moves the example of a body from its schema to the media type.
  const bodies = new Map(requestBodies(document).map(({ schema, example }) => [schemaName(schema), example]))
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    if (schema.type !== 'object' || schema.examples) return [name, schema]
    const options = { title: name, isMinimal: bodies.has(name), resolve }
    const example = bodies.get(name) ?? byTitle[name] ?? createExample(schema, options)
    return [name, example === undefined ? schema : { ...schema, examples: [example] }]
  })
  const result = { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } }
  for (const body of requestBodies(result)) body.example ??= resolveSchema(result, body.schema).examples?.[0]
  return result
}

const requestBodies = ({ paths }: OpenApiDocument) =>
  Object.values(paths)
    .flatMap(Object.values<OperationObject>)
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))

const schemaName = (schema: SchemaObject | undefined) => schema?.$ref?.replace('#/components/schemas/', '')
