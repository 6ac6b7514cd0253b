// Random rules with facts and custom fields. RULES sets their number; `npm run rules` uses 2,000.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx, toSearchText } from '#platform/db'
import { newId, nilUuid } from '#platform/ids'
import { startTestApp } from '#testing'
import { matchesRule, type RuleRecord } from '../../../../platform/rules/match-rule.rules.ts'
import { leavesOf } from '../../../../platform/rules/rule.rules.ts'
import { ruleCondition } from '../../../../platform/rules/rule-sql.queries.ts'
import { dayFromNow, newAccount, newDeal } from '../../deals/opportunities/opportunities.fixture.ts'
import { listContactRows } from '../../people/contacts/list-contacts.queries.ts'
import { matchingLeads } from '../../people/leads/lead-filter.queries.ts'
import { recordTables } from '../../records/custom-values/custom-values.queries.ts'
import { indexCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { createField, options } from '../custom-fields/custom-fields.fixture.ts'
import {
  type PlainActivity,
  type PlainDeal,
  type PlainRecord,
  type PlainUsage,
  satisfies,
} from './brute-force.fixture.ts'
import { listMatchingIds } from './matching-records.queries.ts'
import { parseRecordRule } from './parse-record-rule.service.ts'
import { insertUsage } from './product-usage.fixture.ts'

const rules = Number(process.env.RULES ?? 200)
const seed = process.env.RULES_SEED ?? (process.env.RULES ? undefined : '11')
const { tenant, db, owner, services } = await startTestApp()
const acme = await tenant()
const inAcme = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(acme.id), work)
const now = new Date('2026-03-10T12:00:00Z')
const context = { now, timezone: 'UTC', me: null }
const types = ['lead', 'contact'] as const
type Type = (typeof types)[number]

const words = ['Alpha', 'alpha beta', 'BETA', 'Gamma-beta', 'délta']
const colors = ['red', 'green', 'blue']
const activityTypes = ['call', 'email', 'page_viewed']
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 3 })
const day = fc.integer({ min: -6, max: 0 })
const record = fc.record({
  title: maybe(fc.constantFrom(...words)),
  tags: fc.subarray(colors),
  custom: fc.record(
    {
      nick: fc.constantFrom(...words),
      size: fc.integer({ min: 0, max: 5 }),
      tier: fc.constantFrom('gold', 'silver'),
      colors: fc.subarray(colors, { minLength: 1 }),
      is_open: fc.boolean(),
      renews: day,
      budget: fc.integer({ min: 1, max: 5 }),
    },
    { requiredKeys: [] },
  ),
  activities: fc.array(
    fc.record({ type: fc.constantFrom(...activityTypes), direction: fc.constantFrom('in', 'out'), day }),
    { maxLength: 4 },
  ),
  usage: fc.array(
    fc.record({ name: fc.constantFrom('opened', 'saved'), day, events: fc.integer({ min: 1, max: 3 }) }),
    { maxLength: 4 },
  ),
})
const dealShape = fc.record({
  kind: fc.constantFrom('open', 'won'),
  stage_key: fc.constantFrom('proposal', 'negotiation'),
  euros: maybe(fc.integer({ min: 1, max: 5 })),
  day,
  isDeleted: fc.boolean(),
})

const instantOf = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString()

async function prepareFields(): Promise<void> {
  for (const object_type of types) {
    await createField(acme, { object_type, key: 'nick' })
    await createField(acme, { object_type, key: 'size', type: 'number' })
    await createField(acme, { object_type, key: 'tier', type: 'select', options: options('gold', 'silver') })
    await createField(acme, { object_type, key: 'colors', type: 'multi_select', options: options(...colors) })
    await createField(acme, { object_type, key: 'is_open', type: 'boolean' })
    await createField(acme, { object_type, key: 'renews', type: 'date' })
    await createField(acme, { object_type, key: 'budget', type: 'money' })
  }
}

type Sample = {
  title: string | null
  tags: string[]
  custom: Record<string, unknown>
  activities: PlainActivity[]
  usage: PlainUsage[]
}

const toStoredCustom = ({ renews, budget, ...custom }: Record<string, unknown>) => ({
  ...custom,
  ...(renews !== undefined && { renews: dayFromNow(renews as number, now) }),
  ...(budget !== undefined && { budget: { amount: `${budget}.00`, currency: 'EUR' } }),
})

async function insertRecord(type: Type, { title, tags, custom, activities, usage }: Sample): Promise<PlainRecord> {
  const [id, stored] = [newId(), toStoredCustom(custom)]
  const more = type === 'lead' ? [', created_on', `, '2026-01-01'`] : ['', '']
  await acme.sql(
    `insert into ${recordTables[type]} (tenant_id, id, last_name, title, tags, custom, source, search_text${more[0]})
     values ($1, $2, 'Moss', $3, $4, $5, 'manual', $6${more[1]})`,
    [acme.id, id, title, tags, JSON.stringify(stored), ` ${toSearchText(title)}`],
  )
  await owner.query(
    'insert into crm.record_tags (tenant_id, entity_type, tag, record_id) select $1, $2, unnest($3::text[]), $4',
    [acme.id, type, tags, id],
  )
  for (const { type: kind, direction, day: days } of activities)
    await owner.query(
      `insert into crm.activities (tenant_id, id, ${type}_id, type, direction, occurred_at, actor_type, source)
       values ($1, $2, $3, $4, $5, $6, 'user', 'manual')`,
      [acme.id, newId(), id, kind, direction, instantOf(days)],
    )
  await insertUsage(owner, { tenantId: acme.id, column: `${type}_id`, id }, usage, instantOf)
  await inAcme((tx) => indexCustomValues(tx, type, [{ id, custom: stored }]))
  const values = Object.entries(custom).map(([key, value]) => [`custom.${key}`, value])
  return { id, values: { title, tags, ...Object.fromEntries(values) }, activities, deals: [], usage }
}

/** Relates a deal to contacts as their primary contact or as another contact. */
async function insertDeal(deal: PlainDeal, account_id: string, contacts: PlainRecord[], index: number): Promise<void> {
  const [primary, other] = [contacts[(index * 7) % contacts.length]!, contacts[(index * 3 + 1) % contacts.length]!]
  const amount = deal.euros === null ? null : { amount: `${deal.euros}.00`, currency: 'EUR' }
  const { id } = await newDeal(acme, { account_id, primary_contact_id: primary.id, ...(amount && { amount }) })
  await owner.query(
    `update crm.opportunities set kind = $2, stage_key = $3, closed_at = $4, deleted_at = $5 where id = $1`,
    [id, deal.kind, deal.stage_key, instantOf(deal.day), deal.isDeleted ? now : null],
  )
  await owner.query(
    `insert into crm.opportunity_contacts (tenant_id, opportunity_id, contact_id) values ($1, $2, $3) on conflict do nothing`,
    [acme.id, id, other.id],
  )
  for (const contact of new Set([primary, other])) contact.deals.push(deal)
}

const text = fc.constantFrom(...words, 'alp', 'beta', 'zzz')
const number = fc.integer({ min: 0, max: 6 })
const range = fc.tuple(number, number).map(([one, other]) => [Math.min(one, other), Math.max(one, other)])
const euros = number.map((amount) => ({ amount: `${amount}.00`, currency: 'EUR' }))
const choice = fc.constantFrom('gold', 'silver')
const some = fc.subarray(colors, { minLength: 1 })
const set = { is_set: undefined, is_not_set: undefined }
const leaves = (fields: string[], ops: Record<string, fc.Arbitrary<unknown> | undefined>) =>
  fc.oneof(
    ...Object.entries(ops).map(([op, value]) =>
      fc.record({ field: fc.constantFrom(...fields), op: fc.constant(op), ...(value && { value }) }),
    ),
  )
const fieldLeaf = fc.oneof(
  leaves(['title', 'custom.nick'], {
    eq: text,
    neq: text,
    in: fc.array(text, { minLength: 1, maxLength: 3 }),
    not_in: fc.tuple(text, text),
    starts_with: text,
    contains: text,
    not_contains: text,
    has_any_word: fc.tuple(fc.constantFrom('beta', 'delta')),
    ...set,
  }),
  leaves(['custom.size'], { eq: number, neq: number, gt: number, lte: number, between: range, ...set }),
  leaves(['custom.budget'], { eq: euros, neq: euros, gt: euros, lte: euros, ...set }),
  leaves(['custom.tier'], { eq: choice, neq: choice, in: fc.tuple(choice), not_in: fc.tuple(choice), ...set }),
  leaves(['custom.is_open'], { is: fc.boolean() }),
  leaves(['custom.renews'], { in_last_days: number, more_than_days_ago: number, ...set }),
  leaves(['tags', 'custom.colors'], { contains_any: some, contains_all: some, contains_none: some, ...set }),
)
const within = fc.integer({ min: 1, max: 7 })
const activityFact = fc
  .record(
    {
      fact: fc.constant('activity'),
      types: fc.subarray(activityTypes, { minLength: 1 }),
      direction: fc.constantFrom('in', 'out'),
      min: fc.integer({ min: 0, max: 3 }),
      max: fc.integer({ min: 0, max: 4 }),
      within_days: within,
    },
    { requiredKeys: ['fact', 'types'] },
  )
  .filter(({ min = 1, max = 9 }) => min <= max)
const dealFact = fc.record(
  {
    fact: fc.constant('opportunity'),
    kinds: fc.subarray(['open', 'won'], { minLength: 1 }),
    stage_keys: fc.subarray(['proposal', 'negotiation'], { minLength: 1 }),
    min_amount: euros,
    within_days: within,
  },
  { requiredKeys: ['fact'] },
)
const usageFact = fc
  .record(
    {
      fact: fc.constant('product_usage'),
      event: fc.constantFrom('opened', 'saved'),
      min_events: fc.integer({ min: 1, max: 4 }),
      min_days: fc.integer({ min: 1, max: 3 }),
      window_days: within,
    },
    { requiredKeys: ['fact'] },
  )
  .filter(({ min_days = 1, window_days = 30 }) => min_days <= window_days)
const ruleOf = (leaf: fc.Arbitrary<unknown>) =>
  fc.letrec<{ rule: unknown }>((tie) => ({
    rule: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ all: fc.array(tie('rule'), { maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('rule') }),
    ),
  })).rule
const leafOf = {
  lead: fc.oneof(fieldLeaf, activityFact, usageFact),
  contact: fc.oneof(fieldLeaf, activityFact, dealFact, usageFact),
}

await prepareFields()
await owner.query(`insert into plg.states (tenant_id, timezone) values ($1, 'UTC')`, [acme.id])
const samples = fc.sample(record, { numRuns: 60, seed: 7 })
const records: Record<Type, PlainRecord[]> = { lead: [], contact: [] }
for (const [index, sample] of samples.entries()) {
  const type = types[index % 2]!
  records[type].push(await insertRecord(type, sample))
}
const accountId = await newAccount(acme)
for (const [index, deal] of fc.sample(dealShape, { numRuns: 25, seed: 7 }).entries())
  await insertDeal(
    { ...deal, euros: deal.kind === 'won' ? (deal.euros ?? 3) : deal.euros },
    accountId,
    records.contact,
    index,
  )

const selectIds = async (tx: TenantTx, type: Type, condition: ReturnType<typeof ruleCondition>) => {
  const table = sql.table(recordTables[type])
  const { rows } = await sql<{ id: string }>`select id from ${table} where ${condition}`.execute(tx)
  return rows.map(({ id }) => id).sort()
}

const all = { after: nilUuid, limit: 1_000 }
const readRecords = async (tx: TenantTx, type: Type) => {
  const table = sql.table(recordTables[type])
  return (await sql<RuleRecord & { id: string }>`select id, title, tags, custom from ${table}`.execute(tx)).rows
}
const storedRecords = await inAcme(async (tx) => ({
  lead: await readRecords(tx, 'lead'),
  contact: await readRecords(tx, 'contact'),
}))

/** Results of all ways to evaluate a rule in the product. */
async function evaluate(tx: TenantTx, type: Type, input: unknown): Promise<Record<string, string[]>> {
  const parsed = await parseRecordRule(tx, type, input, services)
  const table = { alias: recordTables[type], objectType: type }
  const filter = { rule: { rule: parsed.rule, context, json: JSON.stringify(input) } }
  const page = { limit: 200, offset: 0, count: 'none', sort_by: 'created_at', sort_dir: 'asc' } as const
  const inList =
    type === 'lead'
      ? await (await matchingLeads(tx, filter)).leads.select('crm.leads.id').execute()
      : (await listContactRows(tx, filter, page)).items
  const isInMemory = leavesOf(parsed.rule).every((leaf) => leaf.kind === 'field' && leaf.field.type !== 'money')
  const inMemory = storedRecords[type].filter((row) => isInMemory && matchesRule(parsed.rule, row, context))
  return {
    ids: await listMatchingIds(tx, parsed, context, all),
    rows: await selectIds(tx, type, ruleCondition(parsed.rule, table, context)),
    sets: await selectIds(tx, type, ruleCondition(parsed.rule, table, context, { usesSets: true })),
    list: inList.map(({ id }) => id).sort(),
    ...(isInMemory && { memory: inMemory.map(({ id }) => id).sort() }),
  }
}

for (const type of types)
  test(`rules about ${type}s match the same records in every form, and not matches all others`, async () => {
    const ids = records[type].map(({ id }) => id).sort()
    let [withFacts, matched] = [0, 0]
    const property = fc.asyncProperty(ruleOf(leafOf[type]), async (rule) => {
      const expected = records[type].filter((one) => satisfies(rule as never, one)).map(({ id }) => id)
      const others = ids.filter((id) => !expected.includes(id))
      if (JSON.stringify(rule).includes('"fact"')) withFacts++
      if (expected.length && others.length) matched++
      await inAcme(async (tx) => {
        for (const [form, found] of Object.entries(await evaluate(tx, type, rule)))
          assert.deepEqual(found, expected.sort(), `${form}: ${JSON.stringify(rule)}`)
        const negated = await parseRecordRule(tx, type, { not: rule }, services)
        assert.deepEqual(await listMatchingIds(tx, negated, context, all), others, `not ${JSON.stringify(rule)}`)
      })
    })
    await fc.assert(property, { numRuns: rules / types.length, ...(seed && { seed: Number(seed) }) })
    assert.ok(withFacts > rules / 10 && matched > rules / 10, `${withFacts} with facts, ${matched} selective`)
  })
