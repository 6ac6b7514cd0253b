import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, parseRecordRule } from '#modules/crm'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { newSegment } from '../segments/segments.fixture.ts'
import { segmentTypes } from '../segments/segments.schemas.ts'

const { tenant, db, services } = await startTestApp()
const acme = await tenant()
const other = await tenant()

const choices = [
  { key: 'gold', label: 'Gold plan' },
  { key: 'silver', label: 'Silver plan' },
]
const customTypes = ['text', 'number', 'boolean', 'date', 'datetime', 'select', 'multi_select', 'money', 'user', 'url']
for (const object_type of ['lead', 'contact', 'account'])
  for (const type of customTypes) {
    const options = type.endsWith('select') ? { options: choices } : {}
    const field = { object_type, type, key: `my_${type}`, label: `My ${type}`, is_filterable: true, ...options }
    assert.equal((await acme.manager.post('/api/custom-fields', field)).status, 201)
  }
await acme.manager.post('/api/custom-fields', {
  object_type: 'lead',
  type: 'text',
  key: 'unlisted',
  label: 'Unlisted',
  is_filterable: false,
})

type Operator = { key: string; value: 'none' | 'one' | 'many' | 'range' }
type Field = {
  key: string
  label: string
  type: string
  reference: string | null
  operators: Operator[]
  options: { key: string; label: string }[]
}
type Parameter = {
  key: string
  type: string
  reference: string | null
  is_required: boolean
  options: { key: string }[]
}
type Catalogue = { fields: Field[]; facts: { key: string; parameters: Parameter[] }[] }

const readCatalogue = async (objectType: string, by = acme.viewer): Promise<Catalogue> =>
  (await by.get(`/api/segments/rule-fields/${objectType}`)).body

const samples: Record<string, unknown> = {
  text: 'word',
  tags: 'word',
  number: 1,
  money: { amount: '1.00', currency: 'EUR' },
  boolean: true,
  date: '2026-03-10',
  datetime: '2026-03-10',
  user: newId(),
  reference: newId(),
  select: 'any',
  multi_select: 'any',
}

function ruleOf({ key: field, type, options }: Field, { key: op, value }: Operator): object {
  const one = op.includes('days') ? 7 : (options[0]?.key ?? samples[type])
  const values = { none: {}, one: { value: one }, many: { value: [one] }, range: { value: [one, one] } }
  return { field, op, ...values[value] }
}

/** Returns the codes of the problems that the parser finds. */
async function parse(objectType: 'lead' | 'contact' | 'account', rule: object): Promise<string[]> {
  try {
    await inTenant(db, systemActor(acme.id), (tx) => parseRecordRule(tx, objectType, rule, services))
    return []
  } catch (error) {
    return (error as { extra: { errors: { code: string }[] } }).extra.errors.map(({ code }) => code)
  }
}

test('the parser accepts every listed operator with its kind of value, and no other operator', async () => {
  const known = new Map<string, Operator>()
  for (const objectType of segmentTypes)
    for (const { operators } of (await readCatalogue(objectType)).fields)
      for (const operator of operators) known.set(operator.key, operator)

  for (const objectType of segmentTypes) {
    const { fields } = await readCatalogue(objectType)
    const wrong: string[] = []
    const byType = new Map(fields.map((field) => [`${field.type} ${field.options.length > 0}`, field]))
    for (const field of new Set([...byType.values(), ...fields.filter(({ key }) => key.includes('custom.'))]))
      for (const operator of known.values()) {
        const isListed = field.operators.some(({ key }) => key === operator.key)
        const problems = await parse(
          objectType,
          ruleOf(field, field.operators.find(({ key }) => key === operator.key) ?? operator),
        )
        if (isListed ? problems.length : problems[0] !== 'unknown_op')
          wrong.push(`${field.key} ${operator.key} ${problems}`)
      }
    assert.deepEqual(wrong, [])
    const listed = await parse(objectType, {
      all: fields.slice(0, 50).map((field) => ruleOf(field, field.operators[0]!)),
    })
    assert.deepEqual(listed, [])
  }
})

test('every field that the parser knows is listed, with custom fields of the workspace only', async () => {
  for (const objectType of segmentTypes) {
    const { fields } = await readCatalogue(objectType)
    const known = await inTenant(db, systemActor(acme.id), (tx) => fieldsOf(tx, objectType))
    assert.deepEqual(
      fields.map(({ key }) => key),
      Object.keys(known),
    )
  }
  const { fields } = await readCatalogue('lead')
  const select = fields.find(({ key }) => key === 'custom.my_select')
  assert.deepEqual([select?.label, select?.options], ['My select', choices])
  assert.ok(!fields.some(({ key }) => key === 'custom.unlisted'))
  assert.ok(!(await readCatalogue('lead', other.viewer)).fields.some(({ key }) => key.startsWith('custom.')))
})

test('the parser accepts listed facts with their required parameters, and no other parameters', async () => {
  for (const objectType of segmentTypes) {
    const { facts } = await readCatalogue(objectType)
    const { id } = await newSegment(acme, { object_type: objectType, rules: { all: [] } })
    const listed = services.registry.ruleFacts.filter(({ objectTypes }) => objectTypes.includes(objectType))
    assert.deepEqual(
      facts.map(({ key }) => key),
      listed.map(({ name }) => name),
    )
    for (const { key: fact, parameters } of facts) {
      const sampleOf = ({ key, type, options }: Parameter) =>
        ({ multi_select: [options[0]?.key], select: options[0]?.key, reference: key === 'segment_id' ? id : newId() })[
          type as 'select'
        ] ?? samples[type]
      const required = Object.fromEntries(
        parameters.filter(({ is_required }) => is_required).map((parameter) => [parameter.key, sampleOf(parameter)]),
      )
      assert.deepEqual(await parse(objectType, { fact, ...required }), [], fact)
      for (const { key } of parameters.filter(({ is_required }) => is_required)) {
        const { [key]: _, ...rest } = required
        assert.notDeepEqual(await parse(objectType, { fact, ...rest }), [], `${fact} without ${key}`)
      }
      for (const { key } of parameters)
        assert.ok(
          !(await parse(objectType, { fact, ...required, [key]: { a: 1 } })).includes('additionalProperties'),
          key,
        )
      assert.deepEqual(await parse(objectType, { fact, ...required, unheard_of: 1 }), ['additionalProperties'], fact)
    }
  }
})

test('fields and parameters with an id name the kind of record', async () => {
  const references = new Map<string, string | null>()
  for (const objectType of segmentTypes) {
    const { fields, facts } = await readCatalogue(objectType)
    for (const { key, type, reference } of [...fields, ...facts.flatMap(({ parameters }) => parameters)])
      if (type === 'user' || type === 'reference') references.set(key, reference)
      else assert.equal(reference, null, key)
  }

  const expected = {
    owner_id: 'user',
    'custom.my_user': 'user',
    'account.custom.my_user': 'user',
    account_id: 'account',
    'account.owner_id': 'user',
    'account.parent_account_id': 'account',
    parent_account_id: 'account',
    segment_id: 'segment',
    campaign_id: 'campaign',
  }
  assert.deepEqual(Object.fromEntries(references), expected)
})

test('other object types are rejected', async () => {
  assert.equal((await acme.viewer.get('/api/segments/rule-fields/opportunity')).status, 422)
})
