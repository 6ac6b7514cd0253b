import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { addFormats, quickCompilation } from '#platform/schema'
import { startTestApp } from '#testing'
import { isEventError, parseEvent } from '../../src/modules/plg/ingest/event.rules.ts'
import type { components } from '../../web/src/api/schema.gen.d.ts'
import { openApiDocument, operations, requestBodies } from './document.ts'

const { tenant } = await startTestApp()
const ajv = new Ajv2020({ ...quickCompilation, strict: false, allErrors: true })
addFormats(ajv)
ajv.addSchema({ $id: 'openapi', ...openApiDocument })

/** Sends a file, which has no example. */
const isUpload = ({ mediaType }: { mediaType: string }) => mediaType === 'multipart/form-data'

test('every request body except uploads has an example that its schema accepts', () => {
  const bodies = requestBodies.filter((body) => !isUpload(body))
  const invalid = bodies.filter(({ schema, example }) => {
    const validate = ajv.compile(schema.$ref ? { $ref: `openapi${schema.$ref}` } : schema)
    return example === undefined || !validate(example)
  })

  assert.ok(bodies.length > 40, `${bodies.length} request bodies`)
  assert.deepEqual(
    invalid.map(({ operationId }) => operationId),
    [],
  )
})

/** Its type proves that a generated client accepts the events. */
type UsageEvent = components['schemas']['UsageEvent']

const event: UsageEvent = { event_id: '1', name: 'signed_up', user_ref: 'u-1', occurred_at: '2026-03-01T09:30:00Z' }
const withoutValues = { account_ref: null, properties: null, user: { email: '', name: null }, account: null }

const validEvents: UsageEvent[] = [
  event,
  { ...event, ...withoutValues },
  { ...event, event_id: 'x'.repeat(100), name: `$${'a'.repeat(99)}`, user_ref: 'é'.repeat(200) },
  { ...event, properties: { a: 'x'.repeat(1_024), b: [1, null, true, 'x'], c: 0.5, d: null } },
  {
    ...event,
    account_ref: 'a',
    account: { name: 'Acme', domain: 'ACME.example' },
    user: { email: 'ada@acme.example' },
  },
]
const invalidFields: object[] = [
  { event_id: 7 },
  { event_id: 'é' },
  { event_id: 'x'.repeat(101) },
  { name: undefined },
  { name: 'a,b' },
  { name: 'a'.repeat(101) },
  { user_ref: '' },
  { account_ref: 'x'.repeat(201) },
  { occurred_at: 'now' },
  { occurred_at: '2026-02-30T10:00:00Z' },
  { userId: 'u-1' },
  { properties: [] },
  { properties: { a: { b: 1 } } },
  { properties: { a: [[1]] } },
  { properties: { a: 'x'.repeat(1_025) } },
  { properties: { a: Array.from({ length: 21 }, () => 1) } },
  { properties: { ['k'.repeat(65)]: 1 } },
  { properties: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 1])) },
  { user: 'ada' },
  { user: { phone: '1' } },
  { user: { name: 'x'.repeat(201) } },
  { account_ref: 'a', account: { email: 'ada@acme.example' } },
]

test('the schema of a usage event accepts and rejects what the rules of the event do', () => {
  const isValid = ajv.compile({ $ref: 'openapi#/components/schemas/UsageEvent' })
  const verdicts = (events: object[]) =>
    events.map((one) => [one, isValid(one), !isEventError(parseEvent(one as Record<string, unknown>, 0))])
  const invalidEvents = invalidFields.map((fields) => ({ ...event, ...fields }))

  assert.deepEqual(
    verdicts(validEvents),
    validEvents.map((one) => [one, true, true]),
  )
  assert.deepEqual(
    verdicts(invalidEvents),
    invalidEvents.map((one) => [one, false, false]),
  )
})

const exampleOf = (operationId: string) => requestBodies.find((body) => body.operationId === operationId)!.example

/** Creates whose examples do not refer to other records. */
const creates: Record<string, string> = {
  createLead: '/api/leads/',
  createContact: '/api/contacts/',
  createAccount: '/api/accounts/',
  createPipeline: '/api/opportunities/pipelines',
  createTeam: '/api/teams/',
  createUser: '/api/users/',
  createApiKey: '/api/api-keys',
  createConnectedApp: '/api/connected-apps',
}

for (const [operationId, path] of Object.entries(creates)) {
  test(`the example of ${operationId} works when it is pasted`, async () => {
    const { admin } = await tenant()

    const { status, body } = await admin.post(path, exampleOf(operationId))

    assert.equal(status, 201, JSON.stringify(body))
  })
}

test('the examples of the replace operations work when they are pasted', async () => {
  const { admin } = await tenant()

  const scoring = await admin.put('/api/leads/scoring-config', exampleOf('replaceScoringConfig'))
  const settings = await admin.put('/api/leads/settings', exampleOf('replaceCrmSettings'))

  assert.equal(scoring.status, 200, JSON.stringify(scoring.body))
  assert.equal(settings.status, 200, JSON.stringify(settings.body))
})

test('every filter parameter has an example that works when it is pasted', async () => {
  const { admin } = await tenant()
  const filters = operations.flatMap(({ method, path, parameters = [] }) =>
    parameters
      .filter((parameter) => 'name' in parameter && parameter.name === 'filter')
      .map((parameter) => ({ method, path, example: 'example' in parameter ? parameter.example : undefined })),
  )

  assert.ok(filters.length >= 4)
  for (const { path, example } of filters) {
    assert.equal(typeof example, 'string', path)
    if (path.includes('{')) continue
    const { status, body } = await admin.get(`${path}?filter=${encodeURIComponent(String(example))}`)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  }
})

test('every order of a list works, and a descending one is the reverse of the ascending one', async () => {
  const { admin } = await tenant()
  for (const name of ['One', 'Two', 'Three']) {
    await admin.post('/api/campaigns/', { name, type: 'event' })
    await admin.post('/api/surveys/', { name, survey_type: 'nps' })
  }
  const lead = (await admin.post('/api/leads/', { last_name: 'Keller' })).body
  const required: Record<string, string> = { '/api/cadences/enrollments': `&lead_id=${lead.id}` }
  const lists = operations.flatMap(({ method, path, parameters = [] }) =>
    parameters.flatMap((parameter) =>
      method === 'get' && 'name' in parameter && parameter.name === 'sort' && !path.includes('{')
        ? [{ path, values: parameter.schema!.enum as string[] }]
        : [],
    ),
  )
  const idsOf = async (path: string, sort: string): Promise<string[]> => {
    const { status, body } = await admin.get(`${path}?sort=${encodeURIComponent(sort)}${required[path] ?? ''}`)
    assert.equal(status, 200, `${path} ${sort}: ${JSON.stringify(body)}`)
    return (body.items ?? []).map(({ id }: { id: string }) => id)
  }

  assert.ok(lists.length >= 13, lists.map(({ path }) => path).join(' '))
  // `relevance` is the order of a search.
  for (const { path, values } of lists)
    for (const sort of values.filter((value) => value !== 'relevance')) {
      const ids = await idsOf(path, sort)
      const isReversible = ['/api/campaigns/', '/api/surveys/'].includes(path)
      if (!isReversible || sort.startsWith('-')) continue
      assert.equal(ids.length, 3)
      assert.deepEqual(await idsOf(path, `-${sort}`), ids.reverse(), `${path} ${sort}`)
    }
})
