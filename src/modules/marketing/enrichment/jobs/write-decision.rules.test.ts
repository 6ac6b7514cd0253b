import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldFact } from '#modules/crm'
import { daysLater } from '#platform/clock'
import {
  comparableOf,
  decideWrite,
  isWorthLookup,
  type WriteDecision,
  type WritePolicy,
} from './write-decision.rules.ts'

const now = new Date('2026-05-01T00:00:00Z')
const candidate = { field: 'company', value: 'Acme Corp', provider: 'people', confidence: 0.7 }
const policies = ['empty_only', 'own_values', 'always'] as const
const sources = ['human', 'api', 'import', 'form', 'convert', 'merge'] as const

type Source = NonNullable<FieldFact['provenance']>['source']
const fact = (
  value: unknown,
  source: Source | null,
  details: { confidence?: number; days?: number } = {},
): FieldFact => ({
  value,
  provenance: source && {
    source,
    provider: null,
    confidence: details.confidence ?? null,
    set_at: daysLater(now, -(details.days ?? 10)),
  },
})
const policy = (
  overwrite_policy: WritePolicy['overwrite_policy'],
  changes: Partial<WritePolicy> = {},
): WritePolicy => ({
  overwrite_policy,
  min_confidence: 0.5,
  refresh_after_days: 180,
  isForced: false,
  now,
  ...changes,
})

type Row = [name: string, fact: FieldFact, empty_only: WriteDecision, own_values: WriteDecision, always: WriteDecision]
const table: Row[] = [
  ['empty, never set', fact(null, null), 'write', 'write', 'write'],
  ['cleared by a user', fact(null, 'human'), 'suggest', 'suggest', 'write'],
  ['cleared by an API key', fact(null, 'api'), 'write', 'write', 'write'],
  ['cleared by an import', fact(null, 'import'), 'write', 'write', 'write'],
  ['emptied by a merge', fact(null, 'merge'), 'write', 'write', 'write'],
  ['empty after enrichment', fact(null, 'enrichment'), 'write', 'write', 'write'],
  ['a value of unknown origin', fact('ACME', null), 'suggest', 'suggest', 'overwrite'],
  ...sources.map((source): Row => [`a value of ${source}`, fact('ACME', source), 'suggest', 'suggest', 'overwrite']),
  ...sources.map(
    (source): Row => [`the same value of ${source}`, fact('acme corp ', source), 'ignore', 'ignore', 'ignore'],
  ),
  ['the same value of unknown origin', fact('Acme Corp', null), 'ignore', 'ignore', 'ignore'],
  ['an enriched value, less certain', fact('ACME', 'enrichment', { confidence: 0.6 }), 'ignore', 'write', 'write'],
  [
    'an enriched value, as certain',
    fact('ACME', 'enrichment', { confidence: Math.fround(0.7) }),
    'ignore',
    'write',
    'write',
  ],
  ['an enriched value, more certain', fact('ACME', 'enrichment', { confidence: 0.8 }), 'ignore', 'ignore', 'ignore'],
  ['an old, more certain one', fact('ACME', 'enrichment', { confidence: 0.8, days: 180 }), 'ignore', 'write', 'write'],
  ['the same enriched value', fact('Acme Corp', 'enrichment', { confidence: 0.6 }), 'ignore', 'ignore', 'ignore'],
  ['the same enriched value, old', fact('Acme Corp', 'enrichment', { days: 181 }), 'ignore', 'confirm', 'confirm'],
]

for (const [name, current, ...expected] of table)
  test(`${name}: ${expected.join(', ')} for empty_only, own_values, always`, () => {
    assert.deepEqual(
      policies.map((name) => decideWrite(candidate, current, policy(name))),
      expected,
    )
  })

test('a value below the minimum confidence is ignored whatever the record has', () => {
  for (const [, current] of table)
    for (const name of policies)
      assert.equal(decideWrite({ ...candidate, confidence: 0.49 }, current, policy(name)), 'ignore')
})

test('force refreshes enriched values of any age, but no values of users', () => {
  const forced = policy('own_values', { isForced: true })

  assert.equal(decideWrite(candidate, fact('ACME', 'enrichment', { confidence: 0.9 }), forced), 'write')
  assert.equal(decideWrite(candidate, fact('Acme Corp', 'enrichment'), forced), 'confirm')
  assert.equal(decideWrite(candidate, fact('ACME', 'human'), forced), 'suggest')
  assert.equal(decideWrite(candidate, fact('ACME', 'enrichment'), policy('empty_only', { isForced: true })), 'ignore')
})

test('a derived value is confirmed once and never changed', () => {
  const derived = { isDerived: true }
  const domain = { ...candidate, field: 'company_domain', value: 'acme.de' }

  assert.equal(decideWrite(domain, fact('acme.de', null), policy('always'), derived), 'confirm')
  assert.equal(decideWrite(domain, fact('acme.de', 'enrichment'), policy('always'), derived), 'ignore')
  assert.equal(decideWrite(domain, fact('other.de', null), policy('always'), derived), 'ignore')
  assert.equal(decideWrite(domain, fact(null, null), policy('always'), derived), 'ignore')
})

test('credits are spent only on fields that may be written', () => {
  const worth = (current: FieldFact) => policies.map((name) => isWorthLookup(current, policy(name)))

  assert.deepEqual(worth(fact(null, null)), [true, true, true])
  assert.deepEqual(worth(fact(null, 'human')), [false, false, true])
  assert.deepEqual(worth(fact('ACME', 'human')), [false, false, true])
  assert.deepEqual(worth(fact('ACME', null)), [false, false, true])
  assert.deepEqual(worth(fact('ACME', 'enrichment')), [false, false, false])
  assert.deepEqual(worth(fact('ACME', 'enrichment', { days: 180 })), [false, true, true])
  assert.ok(isWorthLookup(fact('ACME', 'enrichment'), policy('own_values', { isForced: true })))
})

test('values that differ in case or in the form of a URL are equal', () => {
  assert.equal(comparableOf('website', 'https://www.Acme.de/'), comparableOf('website', 'acme.de'))
  assert.equal(comparableOf('city', ' Köln'), comparableOf('city', 'köln'))
  assert.notEqual(comparableOf('city', 'https://acme.de'), comparableOf('city', 'acme.de'))
  assert.equal(
    comparableOf('annual_revenue', { amount: '1', currency: 'EUR' }),
    comparableOf('annual_revenue', { currency: 'EUR', amount: '1' }),
  )
  assert.notEqual(comparableOf('employee_count', 12), comparableOf('employee_count', '12'))
})
