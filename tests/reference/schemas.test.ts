import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeResource, resources } from '#platform/access'
import { describePattern, unknownPatternSentence } from '../../src/platform/http/validation/validation-messages.ts'
import { openApiDocument, operations, requestBodies, type Schema } from './document.ts'

/** Required fields of some creates, whose other fields have defaults or are optional. */
const requiredFields: Record<string, string[]> = {
  createLead: [],
  createCampaign: ['name', 'type'],
  createRoom: ['name'],
  createPipeline: ['name', 'stages'],
  createUser: ['email', 'name'],
}

const schemaNames = Object.keys(openApiDocument.components.schemas)

test('client generators do not number the types of the API', () => {
  const generated = operations.flatMap(({ operationId }) => {
    const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}`
    return ['Data', 'Error', 'Errors', 'Response', 'Responses'].map((suffix) => `${name}${suffix}`)
  })

  assert.deepEqual(
    schemaNames.filter((name) => /\d$/.test(name) || generated.includes(name)),
    [],
  )
})

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name ? openApiDocument.components.schemas[name]! : schema
}

const propertyOf = (name: string, field: string) => openApiDocument.components.schemas[name]!.properties![field]!

const bodyOf = (operationId: string) => resolve(requestBodies.find((body) => body.operationId === operationId)!.schema)

const parameterSchemas = operations.flatMap(({ parameters = [] }) =>
  parameters.flatMap((parameter) => ('schema' in parameter && parameter.schema ? [parameter.schema] : [])),
)

/** Every schema within a schema, each component once. */
function schemasWithin(schema: Schema, seen = new Set<Schema>()): Schema[] {
  const resolved = resolve(schema)
  if (seen.has(resolved)) return []
  seen.add(resolved)
  const { properties = {}, items, additionalProperties: others, anyOf = [], oneOf = [], allOf = [] } = resolved
  const children = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf]
  if (items) children.push(items)
  if (typeof others === 'object') children.push(others)
  return [resolved, ...children.flatMap((child) => schemasWithin(child, seen))]
}

test('generated clients can leave out the fields and parameters with a default', () => {
  const declared = requestBodies.flatMap(({ operationId, schema }) =>
    schemasWithin(schema).flatMap((body) => ('default' in body ? [`${operationId}: ${JSON.stringify(body)}`] : [])),
  )
  const required = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.flatMap((parameter) =>
      'name' in parameter && parameter.required && 'default' in (parameter.schema ?? {})
        ? [`${operationId}: ${parameter.name}`]
        : [],
    ),
  )

  assert.deepEqual([...declared, ...required], [])
  assert.match(propertyOf('CreateLeadRequest', 'status').description!, / Default: `new`\.$/)
  for (const [operationId, names] of Object.entries(requiredFields))
    assert.deepEqual(bodyOf(operationId).required ?? [], names, operationId)
})

/** Rules of any depth, whose parsers say what is wrong with which part. */
const openSchemas = ['Rule', 'SurveyCondition']

test('every object of a request declares its fields or the values that it can have', () => {
  const isOpen = (schema: Schema) => {
    const { type, properties = {}, additionalProperties: others = true, anyOf, oneOf, allOf } = schema
    const isDeclared = Object.keys(properties).length > 0 || others !== true || anyOf || oneOf || allOf
    return [type].flat().includes('object') && !isDeclared
  }
  const open = requestBodies.flatMap(({ operationId, schema }) =>
    schemasWithin(schema)
      .filter(isOpen)
      .map(({ title }) => title ?? `${operationId}: an object without fields`),
  )

  assert.deepEqual([...new Set(open)].sort(), openSchemas)
})

test('every enum has a type', () => {
  const bodies = Object.values(openApiDocument.components.schemas).flatMap((schema) => schemasWithin(schema))
  const enums = [...bodies, ...parameterSchemas].filter((schema) => schema.enum)

  assert.ok(enums.length > 300, `${enums.length} enums`)
  assert.deepEqual(
    enums.filter(({ type }) => type === undefined),
    [],
  )
})

test('items that must be unique have a scalar type, because all pairs of other items would be compared', () => {
  const unique = requestBodies.flatMap(({ schema }) => schemasWithin(schema)).filter(({ uniqueItems }) => uniqueItems)

  assert.ok(unique.length > 5, `${unique.length} arrays`)
  const untyped = unique.filter(
    ({ items = {} }) => !['string', 'integer', 'number'].includes(resolve(items).type ?? ''),
  )
  assert.deepEqual(untyped, [])
})

test('every pattern of a request has a message in words', () => {
  const schemas = [...requestBodies.map(({ schema }) => schema), ...parameterSchemas].flatMap((schema) =>
    schemasWithin(schema),
  )

  const patterns = schemas.filter(({ pattern }) => pattern !== undefined)
  const unknown = patterns.filter((schema) => describePattern(schema) === unknownPatternSentence)

  assert.ok(patterns.length > 50, `${patterns.length} patterns`)
  assert.deepEqual(
    unknown.map(({ pattern }) => pattern),
    [],
  )
})

test('the introduction explains how to get an API key and lists the scopes that exist', () => {
  const { description } = openApiDocument.info

  assert.match(description, /# Getting an API key/)
  for (const resource of resources)
    assert.equal(description.includes(`\`${resource}.read\``), describeResource(resource) !== null, resource)
})

test('the introduction marks the scopes whose operations do not accept API keys', () => {
  const acceptance = new Map<string, Set<boolean>>()
  for (const { security, 'x-required-scopes': [scope] = [] } of operations) {
    if (!scope) continue
    const acceptsKeys = security?.every((scheme) => Object.keys(scheme).join() === 'bearer') !== true
    acceptance.set(scope, (acceptance.get(scope) ?? new Set()).add(acceptsKeys))
  }
  const { description } = openApiDocument.info

  for (const [scope, accepts] of acceptance) {
    const mark = !accepts.has(false) ? '' : accepts.has(true) ? ' ²' : ' ¹'
    assert.ok(description.includes(`| \`${scope}\`${mark} |`), `${scope}${mark}`)
  }
})
