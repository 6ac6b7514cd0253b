import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { offline, startEnrichmentApp } from './enrichment.fixture.ts'

const { tenant, addLead, enrich, statusOf, putSettings, readJobs, dispatch } = await startEnrichmentApp()
type Acme = Awaited<ReturnType<typeof tenant>>
const applied = (body: { applied: { field: string; value: unknown; provider: string; confidence: number }[] }) =>
  Object.fromEntries(
    body.applied.map(({ field, value, provider, confidence }) => [field, [value, provider, confidence]]),
  )
const suggestionsOf = async (acme: Acme) => (await acme.viewer.get('/api/enrichment/suggestions')).body.items
const decide = (acme: Acme, id: string, decision: 'accept' | 'reject') =>
  acme.member.post(`/api/enrichment/suggestions/${id}/${decision}`)

test('crm-8-1 a lead with only an email address gets name, company, domain and country without any settings', async () => {
  const acme = await tenant()
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de' })

  const { status, body } = await acme.member.post(`/api/leads/${lead.id}/enrich`)

  assert.equal(status, 200)
  assert.ok(['succeeded', 'partial'].includes(body.status))
  assert.deepEqual(applied(body), {
    first_name: ['Jane', 'offline', 0.7],
    last_name: ['Doe', 'offline', 0.7],
    company: ['Acme Corp', 'offline', 0.6],
    company_domain: ['acme-corp.de', 'offline', 1],
    website: ['https://acme-corp.de', 'offline', 0.9],
    country: ['DE', 'offline', 0.5],
    timezone: ['Europe/Berlin', 'offline', 0.5],
  })
  assert.partialDeepStrictEqual(body.lead, { first_name: 'Jane', company: 'Acme Corp', country: 'DE', version: 2 })
  assert.deepEqual([body.task_id, body.suggested], [null, []])
  const { last_job, fields } = await statusOf(acme, lead.id)
  assert.equal(last_job.id, body.job_id)
  assert.partialDeepStrictEqual(
    fields.find(({ field }: { field: string }) => field === 'company'),
    { value: 'Acme Corp', source: 'enrichment', provider: 'offline', confidence: 0.6 },
  )
  assert.ok(fields.every(({ provider, confidence }: Record<string, unknown>) => provider === 'offline' && confidence))
  const { body: timeline } = await acme.viewer.get(`/api/leads/${lead.id}/activities`)
  const activity = timeline.items.find(({ type }: { type: string }) => type === 'enriched')
  assert.deepEqual(activity.meta.providers, ['offline'])
  assert.ok(body.lead.score > lead.score, 'the lead is scored again')
  const events = await acme.events()
  assert.ok(events.includes('lead.updated') && events.includes('enrichment.completed'))
  assert.ok((await acme.audit()).includes('enrichment.completed'))
})

test('crm-8-2 a role address of a free email provider gives nothing', async () => {
  const acme = await tenant()
  const lead = await addLead(acme, { email: 'info@gmail.com' })

  const { status, body } = await enrich(acme, lead.id)

  assert.deepEqual([status, body.status, body.applied, body.suggested], [200, 'no_match', [], []])
  assert.equal((await acme.viewer.get(`/api/leads/${lead.id}`)).body.version, 1)
})

test('crm-8-3 a company that a user entered stays, and the other name becomes a suggestion', async () => {
  const acme = await tenant()
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de', company: 'ACME' })
  const second = await addLead(acme, { email: 'joe.doe@acme-corp.de', company: 'ACME' })

  const { body } = await enrich(acme, lead.id)
  await enrich(acme, second.id)
  assert.equal((await acme.viewer.get(`/api/leads/${lead.id}`)).body.company, 'ACME')
  assert.equal(body.suggested.length, 1)
  assert.partialDeepStrictEqual(body.suggested[0], {
    field: 'company',
    current_value: 'ACME',
    suggested_value: 'Acme Corp',
    provider: 'offline',
    state: 'open',
  })

  const accepted = await decide(acme, body.suggested[0].id, 'accept')
  assert.deepEqual(
    [accepted.status, accepted.body.state, accepted.body.decided_by],
    [200, 'accepted', acme.member.userId],
  )
  assert.equal((await acme.viewer.get(`/api/leads/${lead.id}`)).body.company, 'Acme Corp')
  const company = (await statusOf(acme, lead.id)).fields.find(({ field }: { field: string }) => field === 'company')
  assert.deepEqual([company.source, company.provider], ['human', null])
  assert.equal((await decide(acme, body.suggested[0].id, 'reject')).status, 409)

  const [open] = await suggestionsOf(acme)
  assert.equal(open.entity_id, second.id)
  assert.equal((await decide(acme, open.id, 'reject')).body.state, 'rejected')
  const again = await enrich(acme, second.id)
  assert.deepEqual([again.body.suggested, await suggestionsOf(acme)], [[], []])
  const events = await acme.events()
  assert.ok(events.includes('enrichment_suggestion.accepted') && events.includes('enrichment_suggestion.rejected'))
})

test('crm-8-4 a country that a user cleared is not filled again', async () => {
  const acme = await tenant()
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de' })
  await enrich(acme, lead.id)
  await acme.member.patch(`/api/leads/${lead.id}`, { country: null })

  const { body } = await enrich(acme, lead.id, { force: true })

  assert.equal((await acme.viewer.get(`/api/leads/${lead.id}`)).body.country, null)
  assert.deepEqual(
    body.suggested.map(({ field, suggested_value }: Record<string, string>) => [field, suggested_value]),
    [['country', 'DE']],
  )
})

test('crm-8-5 the policy `always` overwrites a value, and the previous one is in the audit log and a suggestion', async () => {
  const acme = await tenant()
  await putSettings(acme, { overwrite_policy: 'always' })
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de', company: 'ACME' })

  const { body } = await enrich(acme, lead.id)

  assert.equal(applied(body).company?.[0], 'Acme Corp')
  assert.equal((await acme.viewer.get(`/api/leads/${lead.id}`)).body.company, 'Acme Corp')
  const { rows } = await acme.sql(
    `select changes from platform.audit_log where tenant_id = $1 and action = 'lead.updated' and resource_id = $2`,
    [acme.id, lead.id],
  )
  const change = rows[0].changes.find(({ field }: { field: string }) => field === 'company')
  assert.deepEqual(change, { field: 'company', before: 'ACME', after: 'Acme Corp' })
  const [back] = body.suggested
  assert.partialDeepStrictEqual(back, { field: 'company', suggested_value: 'ACME', provider: null })
  await decide(acme, back.id, 'accept')
  assert.equal((await acme.viewer.get(`/api/leads/${lead.id}`)).body.company, 'ACME')
})

test('crm-8-12 records of other workspaces are unknown, other types are invalid and viewers are rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de', company: 'ACME' })
  const { body } = await enrich(acme, lead.id)
  const suggestion = body.suggested[0].id

  for (const type of ['lead', 'contact', 'account']) {
    assert.equal((await enrich(other, lead.id, {}, type)).status, 404, type)
    assert.equal((await other.admin.get(`/api/enrichment/status/${type}/${lead.id}`)).status, 404, type)
  }
  assert.equal((await other.admin.post(`/api/leads/${lead.id}/enrich`)).status, 404)
  assert.equal((await decide(other, suggestion, 'accept')).status, 404)
  assert.equal((await decide(other, suggestion, 'reject')).status, 404)
  assert.deepEqual((await other.admin.get('/api/enrichment/queue')).body.items, [])
  assert.deepEqual(await suggestionsOf(other), [])
  assert.equal((await enrich(acme, lead.id, {}, 'opportunity')).status, 422)
  assert.equal((await enrich(acme, newId())).status, 404)
  for (const url of [
    `/api/leads/${lead.id}/enrich`,
    `/api/enrichment/enrich/lead/${lead.id}`,
    `/api/enrichment/suggestions/${suggestion}/accept`,
  ])
    assert.equal((await acme.viewer.post(url)).status, 403, url)
  assert.equal((await acme.member.get('/api/enrichment/settings')).status, 403)
  assert.equal((await acme.manager.put('/api/enrichment/settings', {})).status, 403)
})

test('crm-8-13 a person whose processing is restricted is skipped', async () => {
  const acme = await tenant()
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de' })
  const contact = (await acme.member.post('/api/contacts/', { email: 'jane.doe@acme-corp.de' })).body
  const restriction = { processing_restricted: true, basis: 'none', source: 'request of the person' }
  assert.equal((await acme.manager.put(`/api/leads/${lead.id}/consent`, restriction)).status, 200)

  const ofLead = await enrich(acme, lead.id)
  const ofContact = await enrich(acme, contact.id, {}, 'contact')

  for (const { status, body } of [ofLead, ofContact])
    assert.deepEqual([status, body.status, body.reason, body.applied], [200, 'skipped', 'processing_restricted', []])
})

test('a record without anything to look up and a workspace with enrichment disabled are skipped', async () => {
  const acme = await tenant()
  const nameless = await addLead(acme, { last_name: 'Moss' })
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de' })

  const withoutData = await enrich(acme, nameless.id)
  await putSettings(acme, { enabled: false })
  const disabled = await enrich(acme, lead.id)

  assert.deepEqual([withoutData.body.status, withoutData.body.reason], ['skipped', 'nothing_to_look_up'])
  assert.deepEqual([disabled.body.status, disabled.body.reason], ['skipped', 'disabled'])
})

test('only allowed and requested fields are enriched', async () => {
  const acme = await tenant()
  await putSettings(acme, { fields: ['country', 'company', 'title'] })
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de' })

  const forbidden = await enrich(acme, lead.id, { fields: ['country', 'first_name'] })
  const unknown = await enrich(acme, lead.id, { fields: ['email'] })
  const one = await enrich(acme, lead.id, { fields: ['country'] })
  const all = await enrich(acme, lead.id)

  assert.deepEqual([forbidden.status, forbidden.body.errors[0].path], [422, '/fields/1'])
  assert.equal(unknown.status, 422)
  assert.deepEqual([one.body.status, Object.keys(applied(one.body))], ['succeeded', ['country']])
  assert.deepEqual([all.body.status, Object.keys(applied(all.body))], ['partial', ['company']])
})

test('contacts and accounts are enriched with the fields they have', async () => {
  const acme = await tenant()
  const contact = (
    await acme.member.post('/api/contacts/', { email: 'ana.silva@acme.com.br', phone: '+351 21 123 4567' })
  ).body
  const account = (
    await acme.member.post('/api/accounts/', { name: 'Acme', domain: 'acme.fr', address: { city: 'Lyon' } })
  ).body

  const ofContact = await enrich(acme, contact.id, {}, 'contact')
  const ofAccount = await enrich(acme, account.id, {}, 'account')

  assert.deepEqual(applied(ofContact.body), {
    first_name: ['Ana', 'offline', 0.7],
    last_name: ['Silva', 'offline', 0.7],
    country: ['PT', 'offline', 0.8],
  })
  assert.deepEqual(applied(ofAccount.body), {
    website: ['https://acme.fr', 'offline', 0.9],
    timezone: ['Europe/Paris', 'offline', 0.5],
  })
  assert.deepEqual(
    ofAccount.body.suggested.map(({ field }: { field: string }) => field),
    ['country'],
  )
  await decide(acme, ofAccount.body.suggested[0].id, 'accept')
  const { body } = await acme.viewer.get(`/api/accounts/${account.id}`)
  assert.deepEqual([body.address, body.website], [{ city: 'Lyon', country: 'FR' }, 'https://acme.fr'])
})

test('a converted lead is not enriched', async () => {
  const acme = await tenant()
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de' })
  await acme.member.post(`/api/leads/${lead.id}/convert`, {})

  const { status, body } = await acme.member.post(`/api/leads/${lead.id}/enrich`)

  assert.deepEqual([status, body.code], [409, 'lead_converted'])
})

test('new leads are enriched if the settings say so, in one job per workspace', async () => {
  const acme = await tenant()
  await addLead(acme, { email: 'a.first@acme.de' })
  assert.deepEqual(await readJobs(acme), [])
  await putSettings(acme, { auto_on_create: true, providers: [offline] })
  const lead = await addLead(acme, { email: 'jane.doe@acme-corp.de' })
  await addLead(acme, { email: 'max.moritz@acme-corp.de' })

  const dispatchers = (await acme.jobs()).filter((job) => job === 'marketing.dispatch_enrichment')
  assert.equal(dispatchers.length, 1)
  await dispatch(acme)

  assert.deepEqual(
    (await readJobs(acme)).map(({ status }) => status),
    ['partial', 'partial'],
  )
  const { body } = await acme.viewer.get(`/api/leads/${lead.id}`)
  assert.deepEqual([body.first_name, body.company], ['Jane', 'Acme Corp'])
  const { last_job } = await statusOf(acme, lead.id)
  assert.deepEqual([last_job.trigger, last_job.requested_by], ['auto', null])
})

test('a bulk action queues leads once, and deleted ones are skipped later', async () => {
  const acme = await tenant()
  const [lead, deleted] = [
    await addLead(acme, { email: 'jane.doe@acme-corp.de' }),
    await addLead(acme, { email: 'x.yz@acme.de' }),
  ]
  const lead_ids = [lead.id, deleted.id]

  const first = await acme.member.post('/api/leads/bulk', { action: 'enrich', lead_ids })
  const second = await acme.member.post('/api/leads/bulk', { action: 'enrich', lead_ids, params: { force: true } })
  await acme.manager.delete(`/api/leads/${deleted.id}`)
  assert.equal((await acme.viewer.get('/api/enrichment/queue?status=queued')).body.counts.queued, 2)
  const waiting = await enrich(acme, lead.id)
  await dispatch(acme)

  assert.deepEqual([first.body.succeeded, second.body.unchanged], [2, 2])
  assert.deepEqual([waiting.status, waiting.body.status], [202, 'queued'])
  assert.deepEqual(
    (await readJobs(acme)).map(({ status, reason }) => [status, reason]),
    [
      ['partial', null],
      ['skipped', 'deleted'],
    ],
  )
  const { body: task } = await acme.member.get(waiting.body.status_url)
  assert.deepEqual([task.state, task.result.status], ['succeeded', 'partial'])
})
