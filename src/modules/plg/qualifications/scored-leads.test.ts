import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, waitUntil } from '#testing'
import { processMarksSchedule } from '../maintenance/process-marks.jobs.ts'
import { findActor, plgSettingsUrl, sendEvents, startUsageApp, usageEvent } from '../plg.fixture.ts'

const { tenant, services, systemDb, startTestWorker } = await startUsageApp()
await startTestWorker()

const handles = { db: services.db, systemDb }
const processMarks = () => runTenantSchedule(handles, processMarksSchedule(services))

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

const pointsOfLead = async (acme: Acme, id: string) =>
  (
    await acme.sql('select points from crm.lead_score_components where tenant_id = $1 and lead_id = $2', [acme.id, id])
  ).rows.map(({ points }: { points: number }) => points)
const createLead = async (acme: Acme, email: string) =>
  (await acme.member.post('/api/leads/', { last_name: 'Lead', email })).body
const meetRule = (acme: Acme, user_ref: string, email: string, account_ref?: string) =>
  sendEvents(acme.manager, ...[1, 2, 3].map(() => usageEvent({ user_ref, user: { email }, account_ref })))
const eraseActor = async (acme: Acme, ref: string) => {
  const { id } = await findActor(acme, ref)
  assert.equal((await acme.manager.delete(`/api/tenant/plg/actors/${id}`)).status, 204)
  await processMarks()
}

test('a lead keeps the points of a rule while one of its two product ids is qualified', async () => {
  const acme = await tenant()
  await setRules(acme, rule)
  const lead = await createLead(acme, 'two@refs.example')
  await meetRule(acme, 'web-1', 'two@refs.example')
  await meetRule(acme, 'ios-1', 'two@refs.example')
  await processMarks()
  assert.deepEqual(await pointsOfLead(acme, lead.id), [20])

  await eraseActor(acme, 'ios-1')
  assert.deepEqual(await pointsOfLead(acme, lead.id), [20])
  await eraseActor(acme, 'web-1')
  assert.deepEqual(await pointsOfLead(acme, lead.id), [])
})

test('merged leads keep the points of a rule while one of their people is qualified', async () => {
  const acme = await tenant()
  await setRules(acme, rule)
  const [lead, duplicate] = [await createLead(acme, 'a@merge.example'), await createLead(acme, 'b@merge.example')]
  await meetRule(acme, 'a', 'a@merge.example')
  await meetRule(acme, 'b', 'b@merge.example')
  await processMarks()
  const { id } = await findActor(acme, 'b')
  await acme.manager.patch(`/api/tenant/plg/actors/${id}`, { link_locked: true })
  const merged = await acme.manager.post(`/api/leads/${lead.id}/merge`, { duplicate_ids: [duplicate.id] })
  assert.equal(merged.status, 200, merged.text)

  await processMarks()
  await eraseActor(acme, 'a')
  assert.deepEqual(await pointsOfLead(acme, lead.id), [20])
  await eraseActor(acme, 'b')
  assert.deepEqual(await pointsOfLead(acme, lead.id), [])
})

test('the points of an account leave people who moved to another account, and reach colleagues who are linked later', async () => {
  const acme = await tenant()
  await setRules(acme, { ...rule, key: 'team', kind: 'account', hold_days: 0 })
  const mover = await createLead(acme, 'mover@team.example')
  await meetRule(acme, 'mover', 'mover@team.example', 'team-a')
  await sendEvents(
    acme.manager,
    usageEvent({ user_ref: 'colleague', user: { email: 'colleague@team.example' }, account_ref: 'team-a' }),
  )
  await processMarks()
  assert.deepEqual(await pointsOfLead(acme, mover.id), [20])

  const colleague = await createLead(acme, 'colleague@team.example')
  await waitUntil(async () => {
    await processMarks()
    return (await pointsOfLead(acme, colleague.id)).length === 1
  })
  await sendEvents(acme.manager, usageEvent({ user_ref: 'mover', account_ref: 'team-b', name: 'other' }))
  await processMarks()
  assert.deepEqual([await pointsOfLead(acme, mover.id), await pointsOfLead(acme, colleague.id)], [[], [20]])
  await sendEvents(acme.manager, usageEvent({ user_ref: 'mover', account_ref: 'team-a', name: 'other' }))
  await processMarks()
  assert.deepEqual(await pointsOfLead(acme, mover.id), [20])

  await setRules(acme)
  await waitUntil(async () => (await pqlsOf(acme))[0].state === 'lost')
  await processMarks()
  assert.deepEqual([await pointsOfLead(acme, mover.id), await pointsOfLead(acme, colleague.id)], [[], []])
})
