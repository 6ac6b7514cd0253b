import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForTask } from '#testing'
import { startReceiver } from '../../../../platform/egress/receivers.stand-in.ts'
import { offline, startEnrichmentApp, startProvider } from '../enrichment.fixture.ts'

const app = await startEnrichmentApp()
const { tenant, addLead, enrich, putSettings, creditsOf, readJobs, dispatch, clock, statusOf } = app
type Acme = Awaited<ReturnType<typeof tenant>>

const titles = await startProvider('titles', { title: 'CTO' })
const both = await startProvider('both', { title: 'Other', industry: 'Software' }, { credits: 3 })
const silent = await startProvider('silent', 'hang')
const broken = await startProvider('broken', 500)
const unknown = await startProvider('unknown', 404)
const odd = await startProvider(
  'odd',
  { title: 'x'.repeat(151), industry: ['a'], country: 'XX', web: 'javascript:alert(1)' },
  {
    mapping: { title: '/title', industry: '/industry', country: '/country', website: '/web' },
  },
)
const target = await startReceiver()
const redirecting = await startReceiver((_request, response) =>
  response.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end(),
)
const lead = { email: 'jane.doe@acme-corp.com' }
const entryOf = (job: { log: { provider: string }[] }, key: string) => job.log.find(({ provider }) => provider === key)
const setProviders = (acme: Acme, providers: object[], settings: object = {}) =>
  putSettings(acme, { providers: [offline, ...providers], ...settings })

test('a worker runs queued jobs and ends the task', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings])
  const { id } = await addLead(acme, lead)
  const worker = await app.startTestWorker()
  const { body } = await enrich(acme, id)

  const { state, result } = await waitForTask(acme, body)
  await worker.stop()

  assert.deepEqual([state, result.job_id, result.status], ['succeeded', body.job_id, 'partial'])
  assert.ok(result.fields.includes('title'))
})

test('a repeated request with an idempotency key has the status of the first one', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings])
  const { id } = await addLead(acme, lead)
  const send = () => acme.member.post(`/api/enrichment/enrich/lead/${id}`, undefined, { 'idempotency-key': 'enrich' })

  const [first, second] = [await send(), await send()]

  assert.deepEqual([first.status, second.status], [202, 202], first.text)
  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.deepEqual(second.body, first.body)
})

test('crm-8-6 each provider is asked only for fields that are still missing, and both are charged', async () => {
  const acme = await tenant()
  await setProviders(acme, [
    { ...both.settings, position: 2 },
    { ...titles.settings, position: 1 },
  ])
  const { id } = await addLead(acme, lead)

  const queued = await enrich(acme, id)
  await dispatch(acme)

  assert.deepEqual([queued.status, queued.body.status, queued.body.applied.length], [202, 'queued', 5])
  assert.deepEqual([titles.asked().at(-1), both.asked().at(-1)], ['title,industry', 'industry'])
  const { body } = await acme.viewer.get(`/api/leads/${id}`)
  assert.deepEqual([body.title, body.industry], ['CTO', 'Software'])
  assert.equal(await creditsOf(acme), 4)
  const { last_job, fields } = await statusOf(acme, id)
  assert.deepEqual([last_job.status, last_job.credits_used], ['partial', 4])
  assert.partialDeepStrictEqual(
    fields.find(({ field }: { field: string }) => field === 'industry'),
    { value: 'Software', provider: 'both', confidence: 0.8, source: 'enrichment' },
  )
  assert.deepEqual(app.requests.at(-1), { ...app.requests.at(-1), timeoutMs: 10_000, maxBytes: 262_144 })
})

test('a provider is not asked for fields that have a value', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings])
  const { id } = await addLead(acme, { ...lead, title: 'CEO', industry: 'Software' })
  const calls = titles.received.length

  const { status, body } = await enrich(acme, id)
  await dispatch(acme)

  assert.deepEqual([status, body.status], [200, 'partial'])
  assert.equal(titles.received.length, calls)
  const forced = await enrich(acme, id, { fields: ['title'] })
  await dispatch(acme)
  assert.equal(forced.status, 202)
  assert.equal(titles.asked().at(-1), 'title')
  const { suggestions, last_job } = await statusOf(acme, id)
  assert.deepEqual([suggestions[0].suggested_value, last_job.status], ['CTO', 'succeeded'])
})

test('crm-8-7 of two parallel jobs, the credit limit allows one, and both get the values of the built-in provider', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings], { monthly_credit_limit: 1 })
  const leads = [await addLead(acme, lead), await addLead(acme, { email: 'max.moritz@acme-corp.com' })]
  for (const { id } of leads) await enrich(acme, id)

  await Promise.all([dispatch(acme), dispatch(acme)])

  const jobs = await readJobs(acme)
  assert.deepEqual(new Set(jobs.map(({ reason }) => reason)), new Set(['quota_exceeded', null]))
  assert.deepEqual(jobs.map(({ credits_used }) => credits_used).sort(), [0, 1])
  assert.equal(await creditsOf(acme), 1)
  for (const { id } of leads) assert.equal((await acme.viewer.get(`/api/leads/${id}`)).body.company, 'Acme Corp')
  const limited = jobs.find(({ reason }) => reason)
  assert.partialDeepStrictEqual(entryOf(limited, 'titles'), { outcome: 'quota_exceeded', credits: 0 })
})

test('crm-8-8 a provider that does not answer is asked again after 1, 5 and 25 minutes, and costs no credits', async () => {
  const acme = await tenant()
  await setProviders(acme, [silent.settings])
  app.provider.timeoutMs = 200
  const { id } = await addLead(acme, lead)
  const { body } = await enrich(acme, id)

  for (const minutes of [1, 5, 25]) {
    const startedAt = clock.now()
    await dispatch(acme)
    const [job] = await readJobs(acme)
    assert.equal(job.status, 'queued')
    assert.equal(Math.floor((job.run_at - startedAt.getTime()) / 60_000), minutes)
    await dispatch(acme)
    assert.equal((await readJobs(acme))[0].attempts, job.attempts, 'not before its time')
    clock.advance(minutes * 60 + 1)
  }
  await dispatch(acme)

  app.provider.timeoutMs = 10_000

  const [job] = await readJobs(acme)
  assert.deepEqual([job.status, job.credits_reserved, await creditsOf(acme)], ['failed', 0, 0])
  assert.partialDeepStrictEqual(entryOf(job, 'silent'), { outcome: 'error', error: 'timeout', credits: 0 })
  assert.equal(silent.received.length, 4)
  const member = await acme.signIn(acme.member.userId)
  const task = await member.get(body.status_url)
  assert.deepEqual([task.body.state, task.body.error.code], ['failed', 'provider_failed'])
  assert.equal((await acme.events()).at(-1), 'enrichment.failed')
})

test('crm-8-9 parallel requests for one record get the same job', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings])
  const { id } = await addLead(acme, lead)
  const calls = titles.received.length

  const responses = await Promise.all([enrich(acme, id), enrich(acme, id), acme.member.post(`/api/leads/${id}/enrich`)])
  await Promise.all([dispatch(acme), dispatch(acme)])

  assert.deepEqual(
    responses.map(({ status }) => status),
    [202, 202, 200],
  )
  assert.equal(new Set(responses.map(({ body }) => body.job_id)).size, 1)
  assert.equal(new Set(responses.map(({ body }) => body.task_id)).size, 1)
  assert.equal(titles.received.length, calls + 1)
  assert.equal((await readJobs(acme)).length, 1)
})

test('crm-8-10 a redirect of a provider is not followed', async () => {
  const acme = await tenant()
  const config = { ...titles.settings.config, url: `http://127.0.0.1:${redirecting.port}/?email={email}` }
  await setProviders(acme, [{ ...titles.settings, config }])
  const { id } = await addLead(acme, lead)
  await enrich(acme, id)

  for (const minutes of [1, 5, 25, 0]) {
    await dispatch(acme)
    clock.advance(minutes * 60 + 1)
  }

  const [job] = await readJobs(acme)
  assert.deepEqual([job.status, job.attempts], ['failed', 3])
  assert.partialDeepStrictEqual(entryOf(job, 'titles'), { outcome: 'error', error: 'redirect' })
  assert.deepEqual([target.received.length, await creditsOf(acme)], [0, 0])
})

test('a provider without a match is free, and one that fails is replaced by the next', async () => {
  const acme = await tenant()
  await setProviders(acme, [
    { ...unknown.settings, position: 1 },
    { ...broken.settings, position: 2 },
    { ...titles.settings, position: 3 },
  ])
  const { id } = await addLead(acme, lead)
  await enrich(acme, id)
  await dispatch(acme)

  const [job] = await readJobs(acme)
  assert.deepEqual(
    job.log.map(({ provider, outcome, error, credits }: Record<string, unknown>) => [
      provider,
      outcome,
      error,
      credits,
    ]),
    [
      ['offline', 'matched', null, 0],
      ['unknown', 'no_match', null, 0],
      ['broken', 'error', 'status_500', 0],
      ['titles', 'matched', null, 1],
    ],
  )
  assert.deepEqual([job.status, job.credits_used, await creditsOf(acme)], ['partial', 1, 1])
})

test('values that a user could not enter are dropped and listed in the log', async () => {
  const acme = await tenant()
  await setProviders(acme, [odd.settings], { fields: ['title', 'industry', 'country', 'website'] })
  const { id } = await addLead(acme, { company: 'Acme', email: 'jane@gmail.com' })
  await enrich(acme, id)
  await dispatch(acme)

  const [job] = await readJobs(acme)
  assert.deepEqual(entryOf(job, 'odd'), {
    ...(entryOf(job, 'odd') as object),
    outcome: 'no_match',
    fields: [],
    credits: 0,
    invalid_fields: ['title', 'website', 'industry', 'country'],
  })
  assert.equal(job.status, 'no_match')
  assert.equal((await acme.viewer.get(`/api/leads/${id}`)).body.website, null)
})
test('an answer that belongs to a changed email address is discarded', async () => {
  const acme = await tenant()
  const { id } = await addLead(acme, lead)
  const changing = await startProviderThat(() =>
    acme.sql(`update crm.leads set email = 'new@other.com', company_domain = 'other.com' where id = $1`, [id]),
  )
  await setProviders(acme, [changing.settings])
  await enrich(acme, id)
  await dispatch(acme)

  assert.ok(changing.received.length >= 2)
  const { body } = await acme.viewer.get(`/api/leads/${id}`)
  assert.equal(body.title, 'Title 2')
})

test('a cancelled task cancels its job', async () => {
  const acme = await tenant()
  await setProviders(acme, [titles.settings])
  const { id } = await addLead(acme, lead)
  const { body } = await enrich(acme, id)
  const calls = titles.received.length
  assert.equal((await acme.member.post(`/api/tasks/${body.task_id}/cancel`)).status, 200)
  await dispatch(acme)

  assert.deepEqual([(await readJobs(acme))[0].reason, titles.received.length], ['cancelled', calls])
})

/** Answers with another title for each request, after a change. */
async function startProviderThat(change: () => Promise<unknown>) {
  let calls = 0
  const receiver = await startReceiver(async (_request, response) => {
    calls++
    const title = `Title ${calls}`
    if (calls === 1) await change()
    response.end(JSON.stringify({ title }))
  })
  const url = `http://127.0.0.1:${receiver.port}/?email={email}`
  return { ...receiver, settings: { key: 'changing', kind: 'http', config: { url, mapping: { title: '/title' } } } }
}
