import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionOfKey } from './row-keys.ts'
import {
  type Catalogue,
  type FactCondition,
  type FieldCondition,
  findIncomplete,
  hiddenParameters,
  isComplete,
  listReferences,
  nameKey,
  type Operator,
  type Parameter,
  type RuleField,
  readCondition,
  ruleOfFact,
  ruleOfField,
  shownParameters,
  withOperator,
  withoutIncomplete,
} from './rule-catalogue.ts'
import { findUnknown, problemsByNode } from './rule-problems.ts'
import { listConditions, type Rule, toRule, toTree } from './rule-tree.ts'
import { describeCondition, describeRule, toText } from './rule-words.ts'

const operator = (key: string, value: Operator['value']): Operator => ({ key, label: key, value })
const ofText = [operator('eq', 'one'), operator('in', 'many'), operator('contains', 'one'), operator('is_set', 'none')]
const ofNumber = [
  operator('eq', 'one'),
  operator('gte', 'one'),
  operator('between', 'range'),
  operator('is_set', 'none'),
]
const ofDay = [operator('on', 'one'), operator('between', 'range'), operator('in_last_days', 'one')]
const ofChoice = [operator('eq', 'one'), operator('in', 'many')]
const field = (key: string, label: string, type: RuleField['type'], more: Partial<RuleField> = {}): RuleField => ({
  key,
  label,
  group: null,
  type,
  reference: null,
  operators: ofChoice,
  options: [],
  ...more,
})
const parameter = (key: string, type: Parameter['type'], more: Partial<Parameter> = {}): Parameter => ({
  key,
  label: key,
  type,
  reference: null,
  is_required: false,
  options: [],
  ...more,
})

const catalogue: Catalogue = {
  fields: [
    field('industry', 'Industry', 'text', { operators: ofText }),
    field('score', 'Score', 'number', { operators: ofNumber }),
    field('created_at', 'Created', 'datetime', { operators: ofDay }),
    field('annual_revenue', 'Annual revenue', 'money', { operators: ofNumber }),
    field('status', 'Status', 'select', { options: [{ key: 'converted', label: 'Converted' }] }),
    field('processing_restricted', 'Restricted', 'boolean', { operators: [operator('is', 'one')] }),
    field('owner_id', 'Owner', 'user', { reference: 'user' }),
    field('account.industry', 'Industry', 'text', { group: 'Account', operators: ofText }),
    field('custom.lead', 'Lead <b>type</b>', 'select', { options: [{ key: 'lead', label: 'Our lead' }] }),
  ],
  facts: [
    {
      key: 'activity',
      label: 'Activity',
      parameters: [
        parameter('types', 'multi_select', {
          is_required: true,
          options: [
            { key: 'form_submitted', label: 'Form submitted' },
            { key: 'email_replied', label: 'Email replied' },
          ],
        }),
        parameter('min', 'number'),
        parameter('within_days', 'number'),
      ],
    },
    {
      key: 'campaign',
      label: 'Campaign',
      parameters: [parameter('campaign_id', 'reference', { reference: 'campaign' }), parameter('responded', 'boolean')],
    },
  ],
}
const names = new Map([
  [nameKey({ kind: 'campaign', id: 'c1' }), 'Webinar'],
  [nameKey({ kind: 'user', id: 'u1' }), 'Marcus Reid'],
])
const options = { catalogue, locale: 'en', names }
const fieldOf = (key: string) => catalogue.fields.find((one) => one.key === key)!
const read = (rule: Rule) => readCondition(rule, catalogue) as FieldCondition
const changeOperator = (rule: Rule, key: string) => {
  const condition = read(rule)
  return withOperator(condition, condition.field.operators.find((one) => one.key === key)!)
}

test('a rule is a sentence of the labels, with the values in it', () => {
  const tree = toTree({
    all: [
      { field: 'industry', op: 'in', value: ['Logistics', 'Energy'] },
      { field: 'score', op: 'between', value: [60, 1_000] },
      {
        any: [
          { fact: 'activity', types: ['form_submitted', 'email_replied'], within_days: 30 },
          {
            all: [
              { fact: 'campaign', campaign_id: 'c1', responded: true },
              { field: 'owner_id', op: 'eq', value: 'u1' },
            ],
          },
        ],
      },
      {
        not: {
          any: [
            { field: 'status', op: 'in', value: ['converted'] },
            { field: 'industry', op: 'is_set' },
          ],
        },
      },
      { not: { field: 'account.industry', op: 'contains', value: 'oil' } },
    ],
  })

  const words = describeRule(tree, 'lead', options)

  assert.equal(
    toText(words),
    'Leads where Industry is one of Logistics or Energy, and Score is between 60 and 1,000, ' +
      'and (Activity is Submitted a form or Replied to an email in the last 30 days, ' +
      'or (Campaign is Webinar responded: Yes, and Owner is Marcus Reid)), ' +
      'and none of this is true: (Status is one of Converted, or Industry has a value), ' +
      'and it is not true that Account: Industry contains oil.',
  )
  assert.deepEqual(
    words
      .filter(({ isValue }) => isValue)
      .map(({ text }) => text)
      .slice(0, 4),
    ['Logistics', 'Energy', '60', '1,000'],
  )
  assert.equal(toText(describeRule(toTree({ all: [] }), 'account', options)), 'All accounts.')
})

test('values have the words of their type, and unknown records and missing values are marked', () => {
  const describe = (rule: Rule) => toText(describeCondition(rule, options))

  assert.equal(describe({ field: 'created_at', op: 'on', value: '2026-03-10' }), 'Created is on Mar 10')
  assert.equal(describe({ field: 'created_at', op: 'in_last_days', value: 7 }), 'Created is in the last 7 days')
  assert.equal(
    describe({ field: 'annual_revenue', op: 'gte', value: { amount: '1500.00', currency: 'EUR' } }),
    'Annual revenue is at least €1,500',
  )
  assert.equal(describe({ field: 'processing_restricted', op: 'is', value: false }), 'Restricted is No')
  assert.equal(describe({ field: 'owner_id', op: 'eq', value: 'u2' }), 'Owner is Unknown record')
  assert.equal(describe({ field: 'custom.lead', op: 'eq', value: 'lead' }), 'Lead <b>type</b> is Our lead')
  assert.equal(describe({ field: 'industry', op: 'in', value: [] }), 'Industry is one of …')
  assert.equal(describe({ field: 'gone', op: 'in', value: ['x'] }), 'gone')
  assert.equal(describe({}), '…')
})

test('a new field gets the comparison that is usual for it, and keeps the one before if it can', () => {
  assert.deepEqual(ruleOfField(fieldOf('industry')), { field: 'industry', op: 'in' })
  assert.deepEqual(ruleOfField(fieldOf('score')), { field: 'score', op: 'gte' })
  assert.deepEqual(ruleOfField(fieldOf('created_at')), { field: 'created_at', op: 'in_last_days' })
  assert.deepEqual(ruleOfField(fieldOf('processing_restricted')), {
    field: 'processing_restricted',
    op: 'is',
    value: true,
  })
  assert.deepEqual(ruleOfField(fieldOf('account.industry'), { field: 'industry', op: 'contains', value: 'x' }), {
    field: 'account.industry',
    op: 'contains',
  })
})

test('another comparison keeps the value if it fits', () => {
  const list = { field: 'industry', op: 'in', value: ['Energy', 'Oil'] }

  assert.deepEqual(changeOperator(list, 'eq'), { field: 'industry', op: 'eq', value: 'Energy' })
  assert.deepEqual(changeOperator({ ...list, op: 'eq', value: 'Oil' }, 'in'), { ...list, value: ['Oil'] })
  assert.deepEqual(changeOperator(list, 'is_set'), { field: 'industry', op: 'is_set' })
  assert.deepEqual(changeOperator({ field: 'score', op: 'gte', value: 5 }, 'between'), {
    field: 'score',
    op: 'between',
    value: [5, null],
  })
  assert.deepEqual(changeOperator({ field: 'created_at', op: 'in_last_days', value: 7 }, 'on'), {
    field: 'created_at',
    op: 'on',
  })
})

test('lines without all of their values are not counted, nor groups of nothing else', () => {
  const complete = { field: 'industry', op: 'is_set' }
  const incomplete: Rule[] = [
    {},
    { field: 'industry', op: 'in', value: [] },
    { field: 'industry', op: 'eq', value: '  ' },
    { field: 'score', op: 'between', value: [1, null] },
    { field: 'score', op: 'gone', value: null },
    { fact: 'activity' },
    { fact: 'activity', types: ['form_submitted'], within_days: null },
    { fact: 'campaign', campaign_id: null },
  ]
  const tree = toTree({ all: [complete, { any: incomplete }, { not: { any: [complete, incomplete[0]!] } }] })

  assert.deepEqual(
    incomplete.filter((rule) => isComplete(rule, catalogue)),
    [],
  )
  assert.equal(findIncomplete(tree, catalogue).length, incomplete.length + 1)
  assert.deepEqual(toRule(withoutIncomplete(tree, catalogue)), { all: [complete, { not: complete }] })
  assert.ok(isComplete({ fact: 'campaign', campaign_id: 'c1' }, catalogue))
  assert.ok(isComplete({ fact: 'campaign' }, catalogue))
})

test('a fact shows its required parameters and those that are given, the menu offers the others', () => {
  const keysOf = (parameters: readonly Parameter[]) => parameters.map(({ key }) => key)
  const activity = readCondition({ fact: 'activity', within_days: 30 }, catalogue) as FactCondition

  assert.deepEqual(keysOf(shownParameters(activity)), ['types', 'within_days'])
  assert.deepEqual(keysOf(hiddenParameters(activity)), ['min'])
  assert.deepEqual(ruleOfFact(catalogue.facts[0]!), { fact: 'activity' })
  assert.deepEqual(ruleOfFact(catalogue.facts[1]!), { fact: 'campaign', campaign_id: null })
})

test('the records that a rule names are listed once', () => {
  const tree = toTree({
    all: [
      { fact: 'campaign', campaign_id: 'c1' },
      { not: { fact: 'campaign', campaign_id: 'c1' } },
      { field: 'owner_id', op: 'in', value: ['u1', 'u2'] },
    ],
  })

  assert.deepEqual(listReferences(tree, catalogue), [
    { kind: 'campaign', id: 'c1' },
    { kind: 'user', id: 'u1' },
    { kind: 'user', id: 'u2' },
  ])
})

test('a problem is shown at its condition, in the words of its code', () => {
  const tree = toTree({
    all: [{ field: 'gone', op: 'eq', value: 1 }, { not: { any: [{ field: 'score', op: 'gone' }, { fact: 'none' }] } }],
  })
  const [gone, compared, fact] = listConditions(tree).map(({ id }) => id)
  const problems = [
    { path: '/rules/all/0/field', code: 'unknown_field', message: 'Field "gone" does not exist.' },
    { path: '/rules/all/1/not/any/0/value/0', code: 'format', message: '`value` must be a number.' },
    { path: '/rules/all/1/not/any/0/op', code: 'other', message: 'Second.' },
    { path: '/name', code: 'required', message: 'Not of the rule.' },
  ]

  const found = problemsByNode(tree, problems, '/rules')

  assert.match(found.get(gone!)!, /does not exist anymore/)
  assert.equal(found.get(compared!), 'value must be a number.')
  assert.equal(found.size, 2)
  assert.deepEqual([...findUnknown(tree, catalogue).keys()], [gone, compared, fact])
  assert.deepEqual([...problemsByNode(toTree({ field: 'x' }), [{ path: '', code: 'y', message: 'z' }]).values()], ['z'])
})

test('keys of a row do not take those of its fields and buttons', () => {
  const press = (key: string, place: 'handle' | 'field' | 'control', held: Partial<KeyboardEvent> = {}) =>
    actionOfKey({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...held }, place)

  assert.deepEqual(press('ArrowDown', 'handle'), { kind: 'focus', step: 'down' })
  assert.deepEqual(press('ArrowUp', 'control'), { kind: 'focus', step: 'up' })
  assert.equal(press('ArrowDown', 'field'), undefined)
  for (const place of ['handle', 'field', 'control'] as const)
    assert.deepEqual(press('ArrowUp', place, { altKey: true }), { kind: 'move', step: 'up' })
  assert.deepEqual([press('Enter', 'handle'), press('Enter', 'field')], [{ kind: 'add' }, { kind: 'add' }])
  assert.equal(press('Enter', 'control'), undefined)
  assert.deepEqual(press('Enter', 'control', { shiftKey: true }), { kind: 'addGroup' })
  assert.deepEqual(press('Delete', 'handle'), { kind: 'remove' })
  assert.equal(press('Delete', 'field'), undefined)
  assert.equal(press('Enter', 'field', { ctrlKey: true }), undefined)
})
