import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { sql } from 'kysely'
import { type Actor, systemActor } from '#platform/access'
import { connect, disconnect, inTenant, type TenantTx, withSavepoint } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { countStatements, startTestApp } from '#testing'
import { createField, options } from '../../lookup/custom-fields/custom-fields.fixture.ts'
import { prepareSuppressions } from '../consent/consent.fixture.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import { createLead, createLeads } from './create-leads.service.ts'
import { type Acme, leadsUrl } from './leads.fixture.ts'

const { tenant, services, clock, db, database } = await startTestApp({}, { isOwn: true })
clock.freeze()
/** Without the check of the lock order, which single leads in one transaction violate, and without background statements. */
const uncheckedDb = connect(database.appUrl, { sameInstanceAs: db })
after(() => disconnect(uncheckedDb))

const actorOf = (acme: Acme): Actor => ({
  ...systemActor(acme.id),
  type: 'user',
  userId: acme.manager.userId,
  role: 'manager',
  origin: 'api',
})

/** Creates a workspace in which leads have custom fields, owners, opt-outs and scores that make them MQLs. */
async function prepareWorkspace() {
  const acme = await tenant()
  await createField(acme, { key: 'tier', type: 'select', options: options('gold', 'silver'), default_value: 'silver' })
  await createField(acme, { key: 'code', is_unique: true })
  await createField(acme, { key: 'badge', type: 'number', is_unique: true, validation: { max: 3 } })
  await createField(acme, { key: 'budget', type: 'money', validation: { min: '1.00' } })
  await createField(acme, { key: 'partner', type: 'user' })
  const { version: _, updated_at, updated_by, ...config } = (await acme.manager.get(`${leadsUrl}scoring-config`)).body
  const gold = { key: 'gold', label: 'Gold', group: 'person', points: 40 }
  const rules = [...config.fit.rules, { ...gold, when: { field: 'custom.tier', op: 'eq', value: 'gold' } }]
  const fit = { rules, group_caps: { person: 100, company: 50 } }
  const changed = { ...config, fit, weights: { fit: 1, engagement: 0 }, auto_mql: { enabled: true, min_score: 40 } }
  assert.equal((await acme.manager.put(`${leadsUrl}scoring-config`, changed)).status, 200)
  const suppress = prepareSuppressions(acme, { db, services })
  await suppress('ann@initech.example', 'email', 'unsubscribed')
  await suppress('+4930901820', 'phone', 'manual')
  await acme.member.post(leadsUrl, {
    email: 'cem@acme.example',
    custom: { code: 'taken' },
    owner_id: acme.member.userId,
  })
  return acme
}

const acme = await prepareWorkspace()
const users = [acme.admin, acme.manager, acme.member].map(({ userId }) => userId)
const settingsOf = (mode: string, lead_email: string) => ({
  assignment: { mode, owner_ids: users.slice(0, 2) },
  duplicates: { lead_email },
  currency_rates: { USD: '0.5' },
})

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 })
/** One of the valid values, and rarely the invalid one. */
const oftenOf = <T>(valid: readonly T[], invalid: T) =>
  fc.oneof({ arbitrary: fc.constantFrom(...valid), weight: 9 }, { arbitrary: fc.constant(invalid), weight: 1 })
const money = fc.record({
  amount: oftenOf(['5.00', '70.00', '2000.00'], '0.10'),
  currency: oftenOf(['EUR', 'USD'], 'GBP'),
})
const input = fc
  .record({
    last_name: oftenOf<string | undefined>(['Moss', 'Roy'], undefined),
    email: maybe(fc.constantFrom('ann@initech.example', 'Ann@initech.example', 'bob@gmail.com', 'cem@acme.example')),
    phone: maybe(fc.constantFrom('+49 30 901820', '030 1234')),
    company: maybe(fc.constantFrom('Initech GmbH', 'Globex')),
    title: maybe(fc.constantFrom('CEO', 'Student')),
    country: maybe(oftenOf(['DE', 'FR'], 'QQ')),
    source: maybe(fc.constantFrom('fair', 'web_form')),
    status: maybe(fc.constantFrom('new', 'qualified', 'unqualified')),
    isReasonMissing: oftenOf([false], true),
    lifecycle_stage: maybe(fc.constantFrom('subscriber', 'lead', 'sql')),
    owner_id: maybe(oftenOf<string | null>([...users, null], newId())),
    annual_revenue: maybe(money),
    tags: maybe(fc.subarray(['vip', 'berlin'])),
    utm: maybe(fc.constant({ source: 'ads' })),
    custom: maybe(
      fc.record(
        {
          tier: oftenOf(['gold', 'silver'], 'bronze'),
          code: fc.constantFrom('a', 'A', 'b', 'taken'),
          badge: oftenOf([1, 2, 3], 4),
          budget: money,
          partner: oftenOf(users, newId()),
        },
        { requiredKeys: [] },
      ),
    ),
  })
  .map(({ isReasonMissing, ...fields }) => {
    const needsReason = (fields.status === 'unqualified') !== isReasonMissing
    return JSON.parse(JSON.stringify({ ...fields, ...(needsReason && { disqualify_reason: 'bad_fit' }) })) as NewLead
  })

const tables = [
  'crm.leads',
  'crm.record_tags',
  'crm.field_provenance',
  'crm.lifecycle_events',
  'crm.activities',
  'crm.lead_assignments',
  'crm.assignment_state',
  'crm.lead_score_history',
  'crm.custom_field_index',
  'crm.custom_field_unique',
  'crm.lead_sources',
  'crm.lead_durations',
  'crm.search_texts',
  'platform.audit_log',
  'platform.outbox_events',
]
/** Random, or set by the database clock. */
const ignored = ['id', 'salt', 'digest', 'occurred_at', 'updated_at', 'created_at', 'xact']

/** Rows of the transaction by table, with positions instead of the ids of leads. */
async function readRows(tx: TenantTx, ids: readonly (string | undefined)[]) {
  const contents: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(stored) as row from ${sql.table(table)} stored`.execute(tx)
    const texts = rows.map(({ row }) =>
      JSON.stringify({ ...row, ...Object.fromEntries(ignored.map((key) => [key, 0])) }),
    )
    contents[table] = texts
      .map((text) =>
        ids.reduce<string>((replaced, id, index) => (id ? replaced.replaceAll(id, `#${index}`) : replaced), text),
      )
      .sort()
  }
  const open = await sql`select user_id, sum(leads) as leads from crm.open_lead_counts group by 1 order by 1`.execute(
    tx,
  )
  const jobs = await sql`select id from pgboss.job_common`.execute(tx)
  return { ...contents, open: open.rows, jobs: jobs.rows.length }
}

const rolledBack = Symbol('rolled back')

/** Runs the work and returns its result and all rows, without keeping them. */
async function dryRun(work: (tx: TenantTx) => Promise<({ value: LeadRow } | { error: AppError })[]>) {
  let result: { errors: unknown[]; rows: object } | undefined
  const run = inTenant(uncheckedDb, actorOf(acme), async (tx) => {
    const outcomes = await work(tx)
    const ids = outcomes.map((outcome) => ('value' in outcome ? outcome.value.id : undefined))
    const errors = outcomes.map((outcome) => {
      if ('value' in outcome) return null
      const { code, message, extra } = outcome.error
      const existing = ids.indexOf(String(extra?.existing_id))
      return { code, message, ...extra, ...(existing >= 0 && { existing_id: existing }) }
    })
    result = { errors, rows: await readRows(tx, ids) }
    throw rolledBack
  })
  await assert.rejects(run, (error) => error === rolledBack)
  return result!
}

async function createOneByOne(tx: TenantTx, inputs: readonly NewLead[]) {
  const outcomes: ({ value: LeadRow } | { error: AppError })[] = []
  for (const one of inputs) {
    try {
      outcomes.push({ value: await withSavepoint(tx, () => createLead(tx, actorOf(acme), one, services)) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      outcomes.push({ error })
    }
  }
  return outcomes
}

test('a batch of leads has the same result as the same leads one by one', async () => {
  const modes = [
    ['none', 'allow'],
    ['round_robin', 'reject'],
    ['least_open', 'reject'],
  ] as const
  let created = 0
  for (const [mode, policy] of modes) {
    const { status, text } = await acme.manager.put(`${leadsUrl}settings`, settingsOf(mode, policy))
    assert.equal(status, 200, text)
    const property = fc.asyncProperty(fc.array(input, { minLength: 1, maxLength: 12 }), async (inputs) => {
      const batch = await dryRun((tx) => createLeads(tx, actorOf(acme), inputs, services))
      const sequence = await dryRun((tx) => createOneByOne(tx, inputs))
      created += batch.errors.filter((error) => error === null).length
      assert.deepEqual(batch.errors, sequence.errors)
      if (!isDeepStrictEqual(batch.rows, sequence.rows)) assert.deepEqual(batch.rows, sequence.rows)
    })
    await fc.assert(property, { numRuns: 8 })
  }
  assert.ok(created > 20)
})

test('the number of statements does not depend on the size of the batch', async () => {
  await acme.manager.put(`${leadsUrl}settings`, settingsOf('round_robin', 'reject'))
  const createBatch = (size: number) =>
    countStatements(uncheckedDb.pool, () =>
      inTenant(uncheckedDb, actorOf(acme), (tx) =>
        createLeads(
          tx,
          actorOf(acme),
          Array.from({ length: size }, (_, n) => ({
            email: `${size}-${n}@acme.example`,
            title: 'CEO',
            tags: ['vip'],
            source: 'fair',
            custom: { code: `${size}-${n}`, budget: { amount: '5.00', currency: 'USD' } },
          })),
          services,
        ),
      ),
    )
  await createBatch(1)

  const [few, many] = [await createBatch(2), await createBatch(300)]

  assert.deepEqual(many.statements, few.statements)
})

test('two batches with the same unique values do not both create them', async () => {
  const inputs = Array.from({ length: 5 }, (_, n) => ({ last_name: 'Moss', custom: { code: `race-${n}` } }))
  const create = (order: NewLead[]) =>
    inTenant(services.db, actorOf(acme), (tx) => createLeads(tx, actorOf(acme), order, services))

  const results = await Promise.all([create(inputs), create(inputs.toReversed())])

  const outcomes = results.flat()
  assert.equal(outcomes.filter((outcome) => 'value' in outcome).length, 5)
  const codes = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error.code] : []))
  assert.deepEqual(codes, Array(5).fill('already_exists'))
})
