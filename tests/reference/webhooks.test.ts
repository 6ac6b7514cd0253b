import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { addFormats, quickCompilation } from '#platform/schema'
import { modules } from '../../src/modules.ts'
import { openApiDocument, webhooks } from './document.ts'

const ajv = new Ajv2020({ ...quickCompilation, strict: false, allErrors: true })
addFormats(ajv)
ajv.addSchema({ $id: 'openapi', ...openApiDocument })

const schemaOf = ({ requestBody }: (typeof webhooks)[number]) => requestBody!.content['application/json']!.schema.$ref!
const nameOf = (reference: string) => reference.replace('#/components/schemas/', '')

test('the document has a webhook for every event type', () => {
  const types = modules.flatMap(({ events }) => events.map(({ type }) => type)).sort()

  assert.deepEqual(
    webhooks.map(({ type }) => type),
    types,
  )
})

test('every webhook has its own payload schema, with an example that matches it', () => {
  const references = webhooks.map(schemaOf)

  assert.equal(new Set(references).size, webhooks.length)
  for (const reference of references) {
    const [example] = openApiDocument.components.schemas[nameOf(reference)]!.examples ?? []
    const validate = ajv.compile({ $ref: `openapi${reference}` })
    assert.ok(validate(example), `${reference}: ${JSON.stringify(validate.errors)}`)
  }
})

test('webhooks refer to the schemas of the API for their records', () => {
  const inlined = webhooks.map(schemaOf).filter((reference) => {
    const { examples: _, ...schema } = openApiDocument.components.schemas[nameOf(reference)]!
    return JSON.stringify(schema).length > 1_200
  })

  assert.deepEqual(inlined, [])
})

test('the names of webhook operations are unique among all operations', () => {
  const ids = webhooks.map(({ operationId }) => operationId)

  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.every((id) => /^on[A-Z]/.test(id)))
})
