import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { startQueryPlans, startTestApp } from '#testing'
import { foldCase } from '../../../../platform/rules/text-folding.rules.ts'
import { leadsUrl } from '../../people/leads/leads.fixture.ts'
import { listMatchingIds } from './matching-records.queries.ts'
import { parseRecordRule } from './parse-record-rule.service.ts'

const { tenant, db, owner, database, services } = await startTestApp()
const acme = await tenant()
const context = { now: new Date('2026-03-10T12:00:00Z'), timezone: 'UTC', me: null }
const companies = [
  'Müller & Söhne',
  'MULLER',
  'Mu\u0308ller',
  'İzmir Kebap',
  '100% Wool_Mill',
  'big  gap',
  'ﬁnance',
  'ᄒ\u1161na',
]
const leads: { id: string; company: string }[] = []
for (const [index, company] of companies.entries()) {
  const email = `wool.muller.${index}@kebap.example`
  const { body } = await acme.admin.post(leadsUrl, { last_name: 'Moss', company, email })
  leads.push({ id: body.id, company })
}

const listMatches = (value: string) =>
  inTenant(db, systemActor(acme.id), async (tx) => {
    const rule = await parseRecordRule(tx, 'lead', { field: 'company', op: 'contains', value }, services)
    return await listMatchingIds(tx, rule, context, { after: nilUuid, limit: 100 })
  })

test('a part of a text is found in every spelling that contains it', async () => {
  const parts = [
    'muller',
    'MÜLLER',
    'ller',
    'u',
    'izm',
    '100% w',
    'l_m',
    'g  g',
    'big gap',
    'fin',
    'ﬁn',
    'ᄒ',
    'söhne',
    'kebap',
    '\u0308',
  ]
  for (const part of parts) {
    const expected = leads.filter(({ company }) => foldCase(company).includes(foldCase(part))).map(({ id }) => id)

    assert.deepEqual(await listMatches(part), expected.sort(), part)
  }
})

test('a part of a searched text is looked up in the search index', async () => {
  const plans = await startQueryPlans({ owner, database })
  const plan = await plans.planOf(systemActor(acme.id), async (tx) => {
    const rule = await parseRecordRule(tx, 'lead', { field: 'company', op: 'contains', value: 'kebap' }, services)
    await listMatchingIds(tx, rule, context, { after: nilUuid, limit: 100 })
  })

  assert.match(plan, /search_texts_by_grams/)
})
