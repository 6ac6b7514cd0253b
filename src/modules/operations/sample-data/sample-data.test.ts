import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, type SampleRecord } from '#platform/module'
import { loadSampleData } from './sample-data.flow.ts'
import {
  idsOf,
  listSampleTables,
  openSampleWorkspace,
  type Tenant,
  withSampleData,
} from './sample-workspace.fixture.ts'

const { acme, now, records, idsBefore, tenant, services, sampleServices, owner } = await openSampleWorkspace()

/** Reads what users see of the records, without ids and the time of the load. */
async function readContent({ id }: Tenant): Promise<unknown> {
  const { rows } = await owner.query(
    `select name, email, title, status, source, created_at, score, grade, first_responded_at, lifecycle_stage
     from crm.leads where tenant_id = $1 order by email`,
    [id],
  )
  const { rows: deals } = await owner.query(
    `select name, stage_key, amount_minor, close_on, created_at, closed_at from crm.opportunities
     where tenant_id = $1 order by name, created_at`,
    [id],
  )
  return { leads: rows, deals }
}

test('the reported records are exactly the rows that were created', async () => {
  for (const [type, ids] of Object.entries(await listSampleTables(owner, acme)))
    assert.deepEqual(
      idsOf(records, type).sort(),
      ids.filter((id) => !idsBefore[type]!.includes(id)),
      type,
    )
  assert.equal(new Set(records.map(({ key }) => key)).size, records.length)
})

test('people, deals and activities look like those of a company that uses the product', async () => {
  const [users, leads, deals, accounts] = await Promise.all(
    ['/api/users/', '/api/leads/', '/api/opportunities/', '/api/accounts/'].map(async (url) => {
      const { body } = await acme.member.get(`${url}?limit=200`)
      return (body.items ?? body).filter(({ name }: { name: string }) => !['Moss', 'Own deal'].includes(name))
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
  assert.ok(won.every(({ at, created_at }) => at >= created_at && at <= now))
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
    [acme.id, acme.admin.userId, now],
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
    [acme.id, acme.admin.userId, now],
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
    [acme.id, now],
  )

  const typesOf = ({ items }: { items: { type: string }[] }) => items.map(({ type }) => type).sort()
  assert.deepEqual([typesOf(published), typesOf(drafts)], [['compliance', 'onboarding', 'product'], ['skills']])
  const { valid, learners, ...counts } = rows[0]
  assert.deepEqual(counts, { enrollments: 30, states: 5, in_past: true, overdue: 2, expiring: 1, due: 0 })
  assert.deepEqual([own.items.length, learners, valid], [3, 10, 5])
})

test('experts have requests in every state, sellers have different levels of readiness, and insights show gaps', async () => {
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
  assert.ok(new Set(levels).size >= 3, String(levels))
})

test('sample users cannot sign in', async () => {
  const { rows } = await owner.query(
    `select count(*)::int as users, count(c.password_hash)::int as passwords from identity.users u
     join identity.user_credentials c on c.user_id = u.id where u.tenant_id = $1 and u.source = 'sample'`,
    [acme.id],
  )

  assert.deepEqual(rows, [{ users: 12, passwords: 0 }])
})

/** Modules whose records users see in lists, with few of them. */
const fewServices = withSampleData(services, (shares) =>
  shares.filter(({ name }) => ['identity', 'crm'].includes(name)),
)
const loadFew = ({ id, admin }: Tenant, options: Partial<Parameters<typeof loadSampleData>[1]> = {}) =>
  loadSampleData(fewServices, { tenantId: id, userId: admin.userId, now, scale: 0.07, ...options })

test('an interrupted load continues where it ended, and the same seed gives the same records', async () => {
  const [uninterrupted, interrupted] = [await tenant(), await tenant()]
  const expected = await loadFew(uninterrupted)
  const saved: { done: number; records: SampleRecord[] } = { done: 0, records: [] }
  const save = async (_: unknown, step: { done: number; records: readonly SampleRecord[] }) => {
    if (step.done === 40) throw new Error('stopped')
    saved.done = step.done
    saved.records.push(...step.records)
  }
  await assert.rejects(loadFew(interrupted, { save }), /stopped/)

  const all = await loadFew(interrupted, { loaded: saved })

  assert.equal(saved.done, 39)
  assert.deepEqual(
    all.map(({ key }) => key),
    expected.map(({ key }) => key),
  )
  assert.deepEqual(await readContent(interrupted), await readContent(uninterrupted))
})

test('the plan of every module depends on the seed and on nothing else', () => {
  const plan = (seed: number) =>
    services.registry
      .sampleDataOf(services)
      .flatMap((share) => share.plan({ random: createRandom(seed), now, scale: 0.07 }))
      .map(({ author, file }) => [author, file?.filename, file?.content])

  assert.deepEqual(plan(7), plan(7))
  assert.notDeepEqual(plan(7), plan(8))
})

test('a second load into the same workspace is rejected', async () => {
  const again = { tenantId: acme.id, userId: acme.admin.userId, now }
  await assert.rejects(loadSampleData(sampleServices, again), { code: 'already_exists' })
})
