import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '#platform/calendar'
import { runTenantSchedule, waitUntil } from '#testing'
import { processMarksSchedule } from '../maintenance/process-marks.jobs.ts'
import { findActor, plgSettingsUrl, sendEvents, startUsageApp, usageEvent } from '../plg.fixture.ts'
import { checkQualificationsSchedule } from './rules.jobs.ts'

const { tenant, services, systemDb, startTestWorker } = await startUsageApp()
await startTestWorker()

/** Runs the schedules as if it were some days later. */
const handles = { db: services.db, systemDb }
const inDays = (days: number) => ({
  ...services,
  clock: { now: () => new Date(services.clock.now().getTime() + days * 86_400_000) },
})
const processMarks = (days = 0) => runTenantSchedule(handles, processMarksSchedule(inDays(days)))
const check = (days: number) => runTenantSchedule(handles, checkQualificationsSchedule(inDays(days)))

type Acme = Awaited<ReturnType<typeof tenant>>
const pqlsOf = async (acme: Acme, query = '') => (await acme.viewer.get(`/api/tenant/plg/pqls?${query}`)).body.items
const rule = {
  key: 'builder',
  name: 'Builder',
  kind: 'person',
  window_days: 7,
  all: [{ event: 'project_created', min_events: 3 }],
}
const setRules = async (acme: Acme, ...pql_rules: object[]) => {
  const { status, text } = await acme.manager.put(plgSettingsUrl, { pql_rules })
  assert.equal(status, 200, text)
}

test('engagement-3-11 the third event qualifies a person once, and it is lost after window and hold time', async () => {
  const acme = await tenant()
  await setRules(acme, rule)
  const send = () =>
    sendEvents(acme.manager, usageEvent({ user_ref: 'u1', user: { email: 'jo@moss.example', name: 'Jo Moss' } }))
  const leadsOf = async () => (await acme.member.get('/api/leads/?source=product')).body.items
  const pointsOf = async (id: string) =>
    (
      await acme.sql(`select points from crm.lead_score_components where tenant_id = $1 and lead_id = $2`, [
        acme.id,
        id,
      ])
    ).rows
  await send()
  await send()
  await processMarks()
  assert.deepEqual(await pqlsOf(acme), [])

  await send()
  await Promise.all([processMarks(), processMarks()])
  await send()
  await processMarks()

  const [pql, ...others] = await pqlsOf(acme)
  const [lead, ...otherLeads] = await leadsOf()
  assert.deepEqual([others, otherLeads], [[], []])
  assert.partialDeepStrictEqual(pql, { rule_key: 'builder', kind: 'person', state: 'qualified', points: 20 })
  assert.deepEqual(pql.evidence[0].event, 'project_created')
  assert.deepEqual([lead.email, lead.source, pql.created_lead_id], ['jo@moss.example', 'product', lead.id])
  assert.deepEqual(await pointsOf(lead.id), [{ points: 20 }])
  assert.partialDeepStrictEqual(await findActor(acme, 'u1'), { lead: { id: lead.id } })
  const qualifiedEvents = async () => (await acme.events()).filter((type) => type === 'plg.pql_qualified').length
  assert.equal(await qualifiedEvents(), 1)

  // Met through day 6, then held for 14 days.
  await check(6)
  await check(20)
  assert.equal((await pqlsOf(acme))[0].state, 'qualified')
  await check(21)
  await processMarks(21)
  assert.equal((await pqlsOf(acme))[0].state, 'lost')
  assert.deepEqual(await pointsOf(lead.id), [])
  assert.ok((await acme.events()).includes('plg.pql_lost'))

  await send()
  await processMarks()
  assert.deepEqual(
    (await pqlsOf(acme)).map(({ state }: { state: string }) => state),
    ['qualified', 'lost'],
  )
  assert.equal((await leadsOf()).length, 1)
  assert.equal(await qualifiedEvents(), 2)
})

test('an account qualifies by the events and the people of its team', async () => {
  const acme = await tenant()
  await setRules(acme, {
    key: 'team_active',
    name: 'Active team',
    kind: 'account',
    window_days: 14,
    all: [
      { event: 'project_created', min_events: 3 },
      { event: 'invite_sent', min_people: 2 },
    ],
  })
  const lead = (await acme.member.post('/api/leads/', { last_name: 'One', email: 'one@team.example' })).body
  const by = (user_ref: string, name: string) => usageEvent({ user_ref, name, account_ref: 'team-1' })
  await sendEvents(
    acme.manager,
    ...[1, 2, 3].map(() => by('one@team.example', 'project_created')),
    by('one@team.example', 'invite_sent'),
  )
  await processMarks()
  assert.deepEqual(await pqlsOf(acme), [])
  await sendEvents(acme.manager, by('p2', 'invite_sent'))
  await processMarks()

  const [pql] = await pqlsOf(acme, 'kind=account&state=qualified&rule_key=team_active')
  assert.deepEqual([pql.evidence[0].events, pql.evidence[1].people], [3, 2])
  const { rows } = await acme.sql(
    'select key, points from crm.lead_score_components where tenant_id = $1 and lead_id = $2',
    [acme.id, lead.id],
  )
  assert.deepEqual(rows, [{ key: 'pql:team_active', points: 20 }])
  // Met through day 13; with 14 days of hold time, the run of day 28 finds it lost.
  await check(13)
  await check(27)
  assert.equal((await pqlsOf(acme))[0].state, 'qualified')
  await check(28)
  assert.equal((await pqlsOf(acme))[0].state, 'lost')
})

test('a new rule is evaluated for people who were active before, and a deleted rule ends its qualifications', async () => {
  const acme = await tenant()
  await sendEvents(acme.manager, ...[1, 2, 3].map(() => usageEvent({ user_ref: 'u1' })))
  await processMarks()
  await setRules(acme, rule)
  await waitUntil(async () => {
    await processMarks()
    return (await pqlsOf(acme)).length === 1
  })
  await setRules(acme)
  await waitUntil(async () => (await pqlsOf(acme))[0].state === 'lost')
})

test('with a segment, only people whose lead is a member qualify', async () => {
  const acme = await tenant()
  const lead = (await acme.member.post('/api/leads/', { last_name: 'In', email: 'in@fit.example', company: 'Fit' }))
    .body
  await acme.member.post('/api/leads/', { last_name: 'Out', email: 'out@fit.example', company: 'Other' })
  const segment = await acme.manager.post('/api/segments/', {
    name: 'Fit',
    object_type: 'lead',
    kind: 'dynamic',
    rules: { all: [{ field: 'company', op: 'eq', value: 'Fit' }] },
  })
  assert.equal(segment.status, 201, segment.text)
  await setRules(acme, { ...rule, all: [{ event: null, min_days: 1 }], fit_segment_id: segment.body.id })
  await sendEvents(
    acme.manager,
    usageEvent({ user_ref: 'in@fit.example' }),
    usageEvent({ user_ref: 'out@fit.example' }),
  )
  await processMarks()

  const found = await pqlsOf(acme)
  assert.deepEqual(
    found.map(({ actor }: { actor: { lead: { id: string } } }) => actor.lead.id),
    [lead.id],
  )
  const invalid = await acme.manager.put(plgSettingsUrl, { pql_rules: [{ ...rule, fit_segment_id: lead.id }] })
  assert.deepEqual([invalid.status, invalid.body.errors[0].path], [422, '/pql_rules/0/fit_segment_id'])
})

test('the owner of the lead is notified once', async () => {
  const acme = await tenant()
  await setRules(acme, rule)
  await acme.member.post('/api/leads/', {
    last_name: 'Owned',
    email: 'owned@lead.example',
    owner_id: acme.member.userId,
  })
  await sendEvents(acme.manager, ...[1, 2, 3, 4].map(() => usageEvent({ user_ref: 'owned@lead.example' })))
  await processMarks()
  await processMarks()

  const { rows } = await acme.sql(
    `select kind from platform.notifications where tenant_id = $1 and user_id = $2 and kind = 'pql.qualified'`,
    [acme.id, acme.member.userId],
  )
  assert.equal(rows.length, 1)
})

test('the points of an erased person leave the lead', async () => {
  const acme = await tenant()
  await setRules(acme, rule)
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Gone', email: 'gone@lead.example' })).body
  await sendEvents(acme.manager, ...[1, 2, 3].map(() => usageEvent({ user_ref: 'gone@lead.example' })))
  await processMarks()
  const countComponents = async () =>
    (
      await acme.sql('select 1 from crm.lead_score_components where tenant_id = $1 and lead_id = $2', [
        acme.id,
        lead.id,
      ])
    ).rows.length
  const before = await countComponents()

  const { id } = await findActor(acme, 'gone@lead.example')
  assert.equal((await acme.manager.delete(`/api/tenant/plg/actors/${id}`)).status, 204)
  await processMarks()

  assert.deepEqual([before, await countComponents()], [1, 0])
  assert.deepEqual([(await pqlsOf(acme))[0].state, (await pqlsOf(acme))[0].actor], ['lost', null])
})

test('settings are replaced as a whole and validated', async () => {
  const acme = await tenant()
  const before = (await acme.viewer.get(plgSettingsUrl)).body
  const invalid: [object, string][] = [
    [{ pql_rules: [rule, rule] }, '/pql_rules/1/key'],
    [{ pql_rules: [{ ...rule, all: [{ event: 'x' }] }] }, '/pql_rules/0/all/0'],
    [{ pql_rules: [{ ...rule, all: [{ min_people: 2 }] }] }, '/pql_rules/0/all/0/min_people'],
    [{ pql_rules: [{ ...rule, all: [{ min_days: 8 }] }] }, '/pql_rules/0/all/0/min_days'],
    [{ inactive_events: ['a,b'] }, '/inactive_events/0'],
    [{ accept_past_days: 731 }, '/accept_past_days'],
  ]

  assert.partialDeepStrictEqual(before, { inactive_events: [], activation: null, pql_rules: [], accept_past_days: 90 })
  for (const [body, path] of invalid) {
    const { status, body: problem } = await acme.manager.put(plgSettingsUrl, body)
    assert.deepEqual([status, problem.errors?.[0].path], [422, path])
  }
  assert.equal((await acme.member.put(plgSettingsUrl, {})).status, 403)
  const saved = await acme.manager.put(plgSettingsUrl, { accept_past_days: 30 })
  const stale = await acme.manager.put(plgSettingsUrl, {}, { 'if-match': '"1"' })
  assert.deepEqual([saved.body.accept_past_days, stale.status], [30, 412])
  const day = addDays(new Date().toISOString().slice(0, 10), -31)
  const old = await acme.manager.post('/api/tenant/plg/events', {
    events: [usageEvent({ occurred_at: `${day}T00:00:00Z` })],
  })
  assert.equal(old.body.errors[0].code, 'occurred_at_too_old')
})
