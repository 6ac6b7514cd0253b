import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { secondsLater } from '#platform/clock'
import { inTenant, type TenantTx } from '#platform/db'
import { enrichmentChecks } from '../enrichment.checks.ts'
import { enrichmentErasures } from '../enrichment.erasures.ts'
import { offline, startEnrichmentApp, startProvider } from '../enrichment.fixture.ts'

const app = await startEnrichmentApp()
const { tenant, addLead, enrich, putSettings, creditsOf, readJobs, dispatch, clock, statusOf } = app
type Acme = Awaited<ReturnType<typeof tenant>>

const titles = await startProvider('titles', { title: 'CTO' })
const broken = await startProvider('broken', 500)
const lead = { email: 'jane.doe@acme-corp.com' }
const setProviders = (acme: Acme, providers: object[]) => putSettings(acme, { providers: [offline, ...providers] })

test('jobs are listed newest first, by status and type, in pages', async () => {
  const acme = await tenant()
  const ids: string[] = []
  for (const name of ['a.one', 'b.two', 'c.three']) {
    const { id } = await addLead(acme, { email: `${name}@acme.de` })
    ids.push((await enrich(acme, id)).body.job_id)
  }
  const account = (await acme.member.post('/api/accounts/', { name: 'Acme' })).body
  const list = async (query: string) => (await acme.viewer.get(`/api/enrichment/queue?${query}`)).body
  await acme.sql(`update marketing.enrichment_jobs set status = 'no_match' where id = $1`, [ids[1]])
  await enrich(acme, account.id, {}, 'account')
  const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)

  const first = await list('limit=2&entity_type=lead')
  const second = await list(`limit=2&entity_type=lead&cursor=${first.next_cursor}`)
  assert.deepEqual([...idsOf(first), ...idsOf(second)], ids.toReversed())
  assert.deepEqual([first.total, second.next_cursor, second.total], [3, null, null])
  assert.deepEqual(idsOf(await list('status=no_match')).includes(ids[1]!), true)
  assert.deepEqual(idsOf(await list('status=partial&entity_type=lead&count=exact')), [ids[2], ids[0]])
  assert.equal((await list('status=partial,no_match')).items.length, 4)
  assert.equal((await list('offset=1&limit=1')).items[0].id, ids[2])
  assert.deepEqual((await list('count=none')).counts, {
    queued: 0,
    running: 0,
    succeeded: 0,
    partial: 2,
    no_match: 2,
    failed: 0,
    skipped: 0,
  })
  assert.equal((await acme.viewer.get('/api/enrichment/queue?status=lost')).status, 422)
  assert.equal((await acme.viewer.get('/api/enrichment/queue?cursor=x')).status, 422)
})

test('the time of the next attempt is shown', async () => {
  const acme = await tenant()
  await setProviders(acme, [broken.settings])
  const { id } = await addLead(acme, lead)
  await enrich(acme, id)
  await dispatch(acme)

  const { last_job } = await statusOf(acme, id)

  assert.ok(new Date(last_job.next_attempt_at) > secondsLater(clock.now(), 30))
  assert.deepEqual([last_job.status, last_job.attempts], ['queued', 1])
})

test('a job whose worker died is queued again, and its credits are given back', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings])
  const { id } = await addLead(acme, lead)
  await enrich(acme, id)
  await acme.sql(
    `update marketing.enrichment_jobs set status = 'running', claim_id = id, claimed_at = $2, credits_reserved = 1,
       credit_month = date_trunc('month', $2::timestamptz at time zone 'utc')::date where tenant_id = $1`,
    [acme.id, clock.now()],
  )
  await acme.sql(
    `insert into marketing.enrichment_usage (tenant_id, month, credits_used)
     select tenant_id, credit_month, 1 from marketing.enrichment_jobs where tenant_id = $1`,
    [acme.id],
  )
  await dispatch(acme)
  assert.deepEqual([(await readJobs(acme))[0].status, await creditsOf(acme)], ['running', 1])

  clock.advance(301)
  await dispatch(acme)
  const [requeued] = await readJobs(acme)
  assert.deepEqual([requeued.status, requeued.attempts, requeued.credits_reserved], ['queued', 1, 0])
  assert.equal(await creditsOf(acme), 0)

  clock.advance(61)
  await dispatch(acme)
  assert.deepEqual([(await readJobs(acme))[0].status, await creditsOf(acme)], ['partial', 1])
})

test('credits that do not match the jobs of the month are found and repaired', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings])
  const { id } = await addLead(acme, lead)
  await enrich(acme, id)
  await dispatch(acme)
  const [check] = enrichmentChecks(app.services)
  const run = {
    tenantId: acme.id,
    signal: new AbortController().signal,
    inTenant: <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(app.db, systemActor(acme.id), work),
  }
  assert.deepEqual(await check!.find(run, 10), [])
  await acme.sql('update marketing.enrichment_usage set credits_used = 7 where tenant_id = $1', [acme.id])

  const found = await check!.find(run, 10)
  const repaired = await check!.repair!(run, found)

  assert.deepEqual([found, repaired], [[{ resource_type: 'workspace', id: acme.id }], 1])
  assert.equal(await creditsOf(acme), 1)
})

test('records are purged with their jobs and suggestions, and a merge leaves them with the merged lead', async () => {
  const acme = await tenant()
  const first = await addLead(acme, { ...lead, company: 'ACME' })
  const second = await addLead(acme, { ...lead, company: 'AC' })
  const { body } = await enrich(acme, second.id)
  const rowsOf = async (table: string) =>
    (await acme.sql(`select entity_id from marketing.${table} where tenant_id = $1`, [acme.id])).rows

  const merge = await acme.manager.post(`/api/leads/${first.id}/merge`, { duplicate_ids: [second.id] })
  assert.equal(merge.status, 200)
  assert.deepEqual(await rowsOf('enrichment_suggestions'), [{ entity_id: second.id }])
  const accepted = await acme.member.post(`/api/enrichment/suggestions/${body.suggested[0].id}/accept`)
  assert.equal(accepted.status, 404)
  await acme.sql('delete from crm.leads where id = $1', [second.id])
  assert.deepEqual([await rowsOf('enrichment_suggestions'), await rowsOf('enrichment_jobs')], [[], []])
})

test('a person who is erased while a provider is asked is not filled in again', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings])
  const { id } = await addLead(acme, { ...lead, first_name: 'Zoe' })
  const queued = await enrich(acme, id)
  await acme.sql(
    `update marketing.enrichment_jobs set status = 'running', claim_id = id, claimed_at = now(), credits_reserved = 1,
       credit_month = date_trunc('month', now() at time zone 'utc')::date where tenant_id = $1`,
    [acme.id],
  )
  await acme.sql(
    `insert into marketing.enrichment_usage (tenant_id, month, credits_used)
     select tenant_id, credit_month, 1 from marketing.enrichment_jobs where tenant_id = $1`,
    [acme.id],
  )
  const [erasure] = enrichmentErasures
  const person = {
    lead_ids: [id],
    contact_ids: [],
    email_keys: [],
    phones: [],
    names: [],
    subject_hashes: [],
    account_ids: [],
    opportunity_ids: [],
  }
  const erase = () => inTenant(app.db, systemActor(acme.id), (tx) => erasure!.erase(tx, person))

  const { counts } = await erase()
  const again = await erase()

  assert.deepEqual(counts, { 'marketing.enrichment_suggestions': 1, 'marketing.enrichment_jobs': 1 })
  assert.deepEqual(again.counts, { 'marketing.enrichment_suggestions': 0, 'marketing.enrichment_jobs': 0 })
  const [job] = await readJobs(acme)
  assert.deepEqual([job.status, job.reason, job.log, await creditsOf(acme)], ['skipped', 'erased', [], 0])
  const { rows } = await acme.sql('select state from platform.background_tasks where id = $1', [queued.body.task_id])
  assert.deepEqual(rows, [{ state: 'succeeded' }])
})

test('a rate limit of one provider postpones the job, and the answers of the others are stored and not asked for again', async () => {
  const acme = await tenant()
  const industries = await startProvider('industries', { industry: 'Software' }, { credits: 3 })
  await setProviders(acme, [titles.settings, { ...industries.settings, position: 2 }])
  app.allowances.set('industries', 1)
  const asked = titles.asked().length
  const leads: string[] = []
  for (const name of ['ann', 'bob', 'cleo', 'dan'])
    leads.push((await addLead(acme, { email: `${name}@acme-corp.com` })).id)
  for (const id of leads) await enrich(acme, id)

  await dispatch(acme)
  const postponed = await readJobs(acme)
  const credits = await creditsOf(acme)
  const { title } = (await acme.viewer.get(`/api/leads/${leads[3]}`)).body
  app.allowances.delete('industries')
  clock.advance(61)
  await dispatch(acme)

  assert.deepEqual(postponed.map(({ status, credits_used }) => `${status} ${credits_used}`).sort(), [
    'partial 4',
    'queued 1',
    'queued 1',
    'queued 1',
  ])
  assert.deepEqual([title, credits], ['CTO', 4 + 3])
  assert.deepEqual([titles.asked().length - asked, industries.asked().length], [4, 4])
  assert.deepEqual(
    (await readJobs(acme)).map(({ status, credits_used, credits_reserved }) => [
      status,
      credits_used,
      credits_reserved,
    ]),
    leads.map(() => ['partial', 4, 0]),
  )
  assert.equal(await creditsOf(acme), 16)
  for (const id of leads) assert.equal((await acme.viewer.get(`/api/leads/${id}`)).body.industry, 'Software')
})

test('a key needs `enrichment.write` to enrich a lead, because that can spend credits', async () => {
  const acme = await tenant()
  const { id } = await addLead(acme, lead)
  const statuses = []
  for (const scopes of [['leads.write'], ['leads.write', 'enrichment.write']]) {
    const { body } = await acme.member.post('/api/api-keys', { name: 'Enrich', scopes })
    statuses.push((await acme.bearer(`ApiKey ${body.key}`).post(`/api/leads/${id}/enrich`)).status)
  }
  assert.deepEqual(statuses, [403, 200])
})
