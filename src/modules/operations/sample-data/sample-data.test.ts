import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SampleRecord } from '#platform/module'
import { startTestApp, waitUntil } from '#testing'
import { createIntegrityRunner } from '../integrity/integrity.fixture.ts'
import { loadSampleData, removeSampleData } from './sample-data.flow.ts'

const mails: unknown[] = []
const { tenant, services, clock, owner, startTestWorker } = await startTestApp(
  {},
  { onMail: (mail) => void mails.push(mail) },
)
clock.freeze()
await startTestWorker()
type Tenant = Awaited<ReturnType<typeof tenant>>

/** Enough for leads of every status, one of them converted. */
const scale = 0.07
const signal = new AbortController().signal
const load = (acme: Tenant, options: Partial<Parameters<typeof loadSampleData>[1]> = {}) =>
  loadSampleData(services, { tenantId: acme.id, userId: acme.admin.userId, now: clock.now(), scale, ...options })
const tables = {
  user: 'identity.users',
  team: 'identity.teams',
  account: 'crm.accounts',
  contact: 'crm.contacts',
  lead: 'crm.leads',
  opportunity: 'crm.opportunities',
  activity: 'crm.activities',
  coaching_persona: 'enablement.coaching_personas',
  coaching_scenario: 'enablement.coaching_scenarios',
  coaching_session: 'enablement.coaching_sessions',
  pitch_prompt: 'enablement.pitch_prompts',
  pitch_submission: 'enablement.pitch_submissions',
} as const

/** Rows that are not sample records: activities that the product logs, and the personas and scenarios of a new workspace. */
const conditions: Partial<Record<keyof typeof tables, string>> = {
  activity: `and type not like '%\\_changed' and type not in ('converted', 'enriched')`,
  coaching_persona: 'and not is_system',
  coaching_scenario: 'and not is_system',
}

const listRows = async (acme: Tenant, type: keyof typeof tables): Promise<string[]> => {
  const { rows } = await owner.query(
    `select id from ${tables[type]} where tenant_id = $1 ${conditions[type] ?? ''} order by id`,
    [acme.id],
  )
  return rows.map(({ id }) => id)
}
const listAll = async (acme: Tenant) => {
  const all: Record<string, string[]> = {}
  for (const type of Object.keys(tables) as (keyof typeof tables)[]) all[type] = await listRows(acme, type)
  return all
}
const idsOf = (records: readonly SampleRecord[], type: string) =>
  records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)

/** Reads what users see of the records, without ids and the time of the load. */
async function readContent(acme: Tenant): Promise<unknown> {
  const { rows } = await owner.query(
    `select name, email, title, status, source, created_at, score, grade, first_responded_at, lifecycle_stage
     from crm.leads where tenant_id = $1 order by email`,
    [acme.id],
  )
  const { rows: deals } = await owner.query(
    `select name, stage_key, amount_minor, close_on, created_at, closed_at from crm.opportunities
     where tenant_id = $1 order by name, created_at`,
    [acme.id],
  )
  return { leads: rows, deals }
}

const acme = await tenant()
const before = await listAll(acme)
const records = await load(acme)

test('the reported records are exactly the rows that were created', async () => {
  for (const [type, ids] of Object.entries(await listAll(acme)))
    assert.deepEqual(
      idsOf(records, type).sort(),
      ids.filter((id) => !before[type]!.includes(id)),
      type,
    )
  assert.equal(new Set(records.map(({ key }) => key)).size, records.length)
})

test('people, deals and activities look like those of a company that uses the product', async () => {
  const [users, leads, deals, accounts] = await Promise.all(
    ['/api/users/', '/api/leads/', '/api/opportunities/', '/api/accounts/'].map(async (url) => {
      const { body } = await acme.member.get(`${url}?limit=200`)
      return body.items ?? body
    }),
  )
  const { rows: won } = await owner.query(
    `select h.to_key, h.at, o.created_at from crm.opportunity_stage_history h join crm.opportunities o on o.id = h.opportunity_id
     where o.tenant_id = $1 and o.kind = 'won' order by o.id, h.at`,
    [acme.id],
  )

  assert.ok(users.length >= 12)
  assert.deepEqual(
    leads.filter(({ email, owner }: { email: string; owner: unknown }) => !email.endsWith('.example') || !owner),
    [],
  )
  assert.ok(new Set(leads.map(({ status }: { status: string }) => status)).size === 7)
  assert.ok(deals.every(({ amount }: { amount: { amount: string } }) => Number(amount.amount) >= 1_000))
  assert.deepEqual(
    new Set(won.map(({ to_key }) => to_key)),
    new Set(['prospecting', 'qualification', 'proposal', 'negotiation', 'closed_won']),
  )
  assert.ok(won.every(({ at, created_at }) => at >= created_at && at <= clock.now()))
  assert.ok(accounts.some(({ type }: { type: string }) => type === 'customer'))
  assert.equal((await acme.member.get('/api/leads/kpis')).status, 200)
})

test('sellers have practiced for 90 days, and their scores rise', async () => {
  const { rows } = await owner.query(
    `select kind, count(*)::int as sessions, count(distinct rep_id)::int as sellers, bool_or(coach_id = $2) as by_loader,
       avg(score) filter (where finished_at < $3::timestamptz - interval '60 days') as first,
       avg(score) filter (where finished_at > $3::timestamptz - interval '30 days') as last,
       bool_and(finished_at between $3::timestamptz - interval '91 days' and $3) as in_period
     from enablement.coaching_sessions where tenant_id = $1 group by kind order by kind`,
    [acme.id, acme.admin.userId, clock.now()],
  )
  const [human, roleplay] = rows

  assert.deepEqual([human.sessions, human.sellers, human.by_loader, human.in_period], [12, 6, true, true])
  assert.deepEqual([roleplay.sessions, roleplay.sellers, roleplay.in_period], [40, 6, true])
  for (const { first, last } of rows) assert.ok(Number(last) - Number(first) >= 10, `${first} to ${last}`)
  const { rows: messages } = await owner.query(
    'select count(distinct session_id)::int as sessions from enablement.roleplay_messages where tenant_id = $1',
    [acme.id],
  )
  assert.equal(messages[0].sessions, 40)
  const { rows: presets } = await owner.query(
    `select (select count(*)::int from enablement.coaching_personas where tenant_id = $1 and is_system) as personas,
       (select count(*)::int from enablement.coaching_scenarios where tenant_id = $1 and is_system) as scenarios`,
    [acme.id],
  )
  assert.deepEqual(presets, [{ personas: 4, scenarios: 6 }])
})

test('sellers have recorded pitches, with reviews, comments, two videos and an exemplar', async () => {
  const { rows } = await owner.query(
    `select count(*)::int as pitches, count(transcript)::int as transcripts, count(file_id)::int as videos,
       count(ai_score)::int as evaluated, count(*) filter (where is_exemplar)::int as exemplars,
       bool_or(user_id = $2) as by_loader, bool_and(submitted_at <= $3) as in_past,
       (select count(*)::int from enablement.pitch_prompts where tenant_id = $1 and status = 'active') as prompts,
       (select count(*)::int from enablement.pitch_prompts where tenant_id = $1 and exemplar_submission_id is not null) as shown,
       (select count(*)::int from enablement.pitch_reviews where tenant_id = $1) as reviews,
       (select count(*)::int from enablement.pitch_comments where tenant_id = $1) as comments
     from enablement.pitch_submissions where tenant_id = $1`,
    [acme.id, acme.admin.userId, clock.now()],
  )

  const { reviews, comments, ...counts } = rows[0]
  assert.deepEqual(counts, {
    pitches: 15,
    transcripts: 15,
    videos: 2,
    evaluated: 15,
    exemplars: 1,
    by_loader: true,
    in_past: true,
    prompts: 3,
    shown: 1,
  })
  assert.ok(reviews >= 5 && comments >= 2, `${reviews} reviews, ${comments} comments`)
})

test('learning has four paths, and enrollments in every state with two overdue and a certificate that expires soon', async () => {
  const { body: published } = await acme.member.get('/api/enablement/learning/paths/')
  const { body: drafts } = await acme.admin.get('/api/enablement/learning/paths/?status=draft')
  const { body: own } = await acme.admin.get('/api/enablement/learning/my-enrollments')
  const { rows } = await owner.query(
    `select count(*)::int as enrollments, count(distinct user_id)::int as learners,
       count(distinct status)::int as states, bool_and(created_at < $2) as in_past,
       count(*) filter (where status in ('not_started', 'in_progress') and due_on < $2::date)::int as overdue,
       (select count(*)::int from enablement.certificates where tenant_id = $1 and expires_at between $2 and $2::timestamptz + interval '30 days') as expiring,
       (select count(*)::int from enablement.certificates where tenant_id = $1 and expires_at > $2::timestamptz + interval '30 days') as valid,
       (select count(*)::int from enablement.certificates where tenant_id = $1 and recertify_at <= $2) as due
     from enablement.learning_enrollments where tenant_id = $1`,
    [acme.id, clock.now()],
  )

  const typesOf = ({ items }: { items: { type: string }[] }) => items.map(({ type }) => type).sort()
  assert.deepEqual([typesOf(published), typesOf(drafts)], [['compliance', 'onboarding', 'product'], ['skills']])
  const { valid, learners, ...counts } = rows[0]
  assert.deepEqual(counts, { enrollments: 30, states: 5, in_past: true, overdue: 2, expiring: 1, due: 0 })
  assert.deepEqual([own.items.length, learners, valid], [3, 10, 5])
})

test('experts have requests in every state, sellers all levels of readiness, and insights show gaps', async () => {
  const { rows: states } = await owner.query(
    `select status, count(*)::int as requests, count(sla_breached_at)::int as breaches from enablement.expert_requests
     where tenant_id = $1 group by status order by status`,
    [acme.id],
  )
  const { body: experts } = await acme.member.get('/api/enablement/experts/')
  const { body: insights } = await acme.admin.get('/api/enablement/insights?days=365')
  const { body: readiness } = await acme.admin.get('/api/enablement/readiness')

  assert.equal(experts.total, 5)
  assert.deepEqual(
    states.map(({ status }) => status),
    ['answered', 'assigned', 'cancelled', 'closed', 'in_progress', 'open'],
  )
  assert.equal(
    states.reduce((sum, { requests }) => sum + requests, 0),
    20,
  )
  assert.equal(
    states.reduce((sum, { breaches }) => sum + breaches, 0),
    2,
  )
  assert.equal(insights.search_gaps.length, 3)
  assert.ok(insights.adoption.used >= 8, JSON.stringify(insights.adoption))
  type Item = { user: { id: string }; level: string }
  const { rows: sellers } = await owner.query(
    `select id from identity.users where tenant_id = $1 and title like 'Account Executive%'`,
    [acme.id],
  )
  const levels = sellers.map(({ id }) => readiness.items.find(({ user }: Item) => user.id === id)?.level)
  assert.equal(sellers.length, 6)
  assert.deepEqual([...new Set(levels)].sort(), ['at_risk', 'developing', 'not_ready', 'ready'])
})

test('sample users cannot sign in', async () => {
  const { rows } = await owner.query(
    `select count(*)::int as users, count(c.password_hash)::int as passwords from identity.users u
     join identity.user_credentials c on c.user_id = u.id where u.tenant_id = $1 and u.source = 'sample'`,
    [acme.id],
  )

  assert.deepEqual(rows, [{ users: 12, passwords: 0 }])
})

test('events have the origin sample, no email is sent, and only the user who loads the data has notifications', async () => {
  const isPending = `select (select count(*) from platform.outbox_events where published_at is null)
    + (select count(*) from pgboss.job_common where state < 'completed' and start_after <= now()) as pending`
  await waitUntil(async () => Number((await owner.query(isPending)).rows[0].pending) === 0)

  // The schedule calculates readiness also during a long load.
  const { rows: others } = await owner.query(
    `select distinct type from platform.outbox_events
     where tenant_id = $1 and origin <> 'sample' and type <> 'readiness.level_changed'`,
    [acme.id],
  )
  const { rows: notified } = await owner.query(
    'select distinct user_id, by_mail from platform.notifications where tenant_id = $1',
    [acme.id],
  )
  assert.deepEqual(others, [])
  assert.deepEqual([notified, mails], [[{ user_id: acme.admin.userId, by_mail: false }], []])
})

test('an interrupted load continues where it ended, and the same seed gives the same records', async () => {
  const interrupted = await tenant()
  const now = clock.now()
  const saved: { done: number; records: SampleRecord[] } = { done: 0, records: [] }
  const save = async (_: unknown, step: { done: number; records: readonly SampleRecord[] }) => {
    if (step.done === 40) throw new Error('stopped')
    saved.done = step.done
    saved.records.push(...step.records)
  }
  await assert.rejects(load(interrupted, { now, save }), /stopped/)

  const all = await load(interrupted, { now, loaded: saved })

  assert.equal(saved.done, 39)
  assert.equal(all.length, records.length)
  assert.deepEqual(await readContent(interrupted), await readContent(acme))
})

test('a second load into the same workspace is rejected', async () => {
  await assert.rejects(load(acme), { code: 'already_exists' })
})

test('removing deletes exactly the sample records and keeps an account with deals of its own', async () => {
  const own = (await acme.member.post('/api/leads/', { last_name: 'Moss', owner_id: idsOf(records, 'user')[4] })).body
  const [kept] = idsOf(records, 'account')
  const deal = (
    await acme.member.post('/api/opportunities/', { name: 'Own deal', account_id: kept, close_on: '2030-01-31' })
  ).body

  const remaining = await removeSampleData(services, { tenantId: acme.id, records, signal })

  assert.deepEqual(remaining, [{ resource_type: 'account', id: kept }])
  const after = await listAll(acme)
  assert.deepEqual(after, { ...before, lead: [own.id], opportunity: [deal.id], account: [kept], activity: [] })
  assert.equal((await acme.member.get(`/api/leads/${own.id}`)).body.owner_id, null)
  const results = await createIntegrityRunner(services).findAll(acme.id)
  assert.deepEqual(
    results.filter(({ status, code }) => status !== 'ok' && code !== 'outbox_lag'),
    [],
  )
})
