import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask, waitForValue } from '#testing'
import { listMembers, newCampaign } from '../../campaigns/campaigns/campaigns.fixture.ts'
import {
  type Acme,
  allowSending,
  cadencesUrl,
  emailStep,
  enroll,
  getCadence,
  getStats,
  listEnrollments,
  newActiveCadence,
  newCadence,
  newContact,
  newLead,
  optOut,
  outcomesOf,
} from '../cadences/cadences.fixture.ts'

const { tenant, clock, startTestWorker } = await startTestApp()
await startTestWorker()

async function insertLeads(acme: Acme, count: number): Promise<string[]> {
  const { rows } = await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, email, owner_id, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, 'lead' || n || '@initech.example', $3, 'import', ' lead ' || n, now(), current_date
     from generate_series(1, $2::integer) n returning id`,
    [acme.id, count, acme.member.userId],
  )
  return rows.map(({ id }) => id)
}

test('crm-5-2 opted-out and converted leads are skipped with their code', async () => {
  const acme = await tenant()
  const { id, steps } = await newActiveCadence(acme)
  const [out, converted, good] = [await newLead(acme), await newLead(acme), await newLead(acme)]
  await optOut(acme, out)
  assert.equal((await acme.member.post(`/api/leads/${converted}/convert`, {})).status, 200)

  const result = await enroll(acme, id, { lead_ids: [out, converted, good, newId()] })

  assert.deepEqual(outcomesOf(result), ['opted_out', 'lead_converted', 'enrolled', 'not_found'])
  assert.deepEqual([result.enrolled, result.skipped], [1, 3])
  assert.deepEqual(result.skipped_by_code, { opted_out: 1, lead_converted: 1, not_found: 1 })
  const [enrollment] = await listEnrollments(acme, id)
  assert.partialDeepStrictEqual(enrollment, {
    status: 'active',
    lead: { id: good },
    contact: null,
    sender_id: acme.member.userId,
    current_step_id: steps[0].id,
    enrolled_by: acme.member.userId,
    enrolled_via: 'manual',
  })
  assert.ok(enrollment.next_run_at)
  assert.ok((await acme.events()).includes('cadence.enrolled'))
  assert.ok((await acme.audit()).includes('cadence.enrolled'))
})

test('crm-5-3 a person is enrolled once, also in parallel and as a lead and a contact', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const lead = await newLead(acme, { email: 'ada@initech.example' })
  const contact = await newContact(acme, { email: 'Ada@initech.example' })

  const parallel = await Promise.all([enroll(acme, id, { lead_ids: [lead] }), enroll(acme, id, { lead_ids: [lead] })])
  const asContact = await enroll(acme, id, { contact_ids: [contact] })

  assert.deepEqual(parallel.flatMap(outcomesOf).sort(), ['already_enrolled', 'enrolled'])
  assert.deepEqual(outcomesOf(asContact), ['already_enrolled'])
  assert.equal((await listEnrollments(acme, id)).length, 1)
  const other = await newActiveCadence(acme)
  const both = { lead_ids: [await newLead(acme, { email: 'bo@initech.example' })] }
  const contact_ids = [await newContact(acme, { email: 'bo@initech.example' })]
  assert.deepEqual(outcomesOf(await enroll(acme, other.id, { ...both, contact_ids })), ['enrolled', 'already_enrolled'])
  assert.deepEqual(outcomesOf(await enroll(acme, id, { contact_ids })), ['in_other_cadence'])
})

test('crm-5-13 an enrollment that has ended cannot change', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  await enroll(acme, id, { lead_ids: [await newLead(acme)] })
  const [enrollment] = await listEnrollments(acme, id)
  const url = `${cadencesUrl}${id}/enrollments/${enrollment.id}`

  const exited = await acme.member.patch(url, { status: 'exited' })
  const again = await acme.member.patch(url, { status: 'active' })

  assert.partialDeepStrictEqual(exited.body, { status: 'exited', exit_reason: 'removed', next_run_at: null })
  assert.deepEqual([again.status, again.body.code, again.body.allowed], [409, 'invalid_transition', []])
  assert.partialDeepStrictEqual((await getStats(acme, id)).totals, { enrolled: 1, active: 0, exited: 1 })
})

test('an enrollment is paused until a time and continues', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme, { steps: [emailStep({ delay_days: 3 })] })
  await enroll(acme, id, { lead_ids: [await newLead(acme)] })
  const [enrollment] = await listEnrollments(acme, id)
  const url = `${cadencesUrl}${id}/enrollments/${enrollment.id}`
  const until = new Date(clock.now().getTime() + 86_400_000).toISOString()

  const paused = await acme.member.patch(url, { status: 'paused', paused_until: until })
  const past = await acme.member.patch(url, { status: 'paused', paused_until: '2001-01-01T00:00:00Z' })
  const unexpected = await acme.member.patch(url, { status: 'active', paused_until: until })
  const resumed = await acme.member.patch(url, { status: 'active' })
  const foreign = await (await tenant()).manager.patch(url, { status: 'exited' })

  assert.partialDeepStrictEqual(paused.body, {
    status: 'paused',
    paused_reason: 'manual',
    paused_until: until,
    next_run_at: null,
  })
  assert.deepEqual([past.status, unexpected.status, foreign.status], [422, 422, 404])
  assert.partialDeepStrictEqual(resumed.body, {
    status: 'active',
    paused_reason: null,
    paused_until: null,
    current_step_id: enrollment.current_step_id,
    next_run_at: enrollment.next_run_at,
  })
  const events = await acme.events()
  assert.deepEqual(
    events.filter((type) => type === 'cadence.paused' || type === 'cadence.resumed'),
    ['cadence.paused', 'cadence.resumed'],
  )
})

test('crm-5-14 201 leads are enrolled by the bulk action in a task, and the counts match the rows', async () => {
  const acme = await tenant()
  const { id: cadence_id } = await newActiveCadence(acme)
  const leads = await insertLeads(acme, 201)
  await optOut(acme, leads[7]!)
  await enroll(acme, cadence_id, { lead_ids: [leads[9]] })
  const bulk = { action: 'enroll_cadence', lead_ids: leads, params: { cadence_id } }

  const started = await acme.member.post('/api/leads/bulk', bulk)
  const task = await waitForTask(acme, started.body)

  assert.equal(started.body.total, 201, started.text)
  assert.partialDeepStrictEqual(task.result, { total: 201, succeeded: 199, failed: 2 })
  assert.deepEqual(
    task.result.failures.map(({ code, lead_ids }: { code: string; lead_ids: string[] }) => [code, lead_ids]).sort(),
    [
      ['already_enrolled', [leads[9]]],
      ['opted_out', [leads[7]]],
    ],
  )
  const { rows } = await acme.sql(
    `select count(*)::integer as enrollments, count(distinct enrollment.lead_id)::integer as leads, count(run.id)::integer as runs
     from marketing.cadence_enrollments enrollment
     left join marketing.cadence_step_runs run on run.enrollment_id = enrollment.id and run.state = 'waiting'
     where enrollment.cadence_id = $1`,
    [cadence_id],
  )
  assert.deepEqual(rows, [{ enrollments: 200, leads: 200, runs: 200 }])
  const { enrolled_count, live_count } = await getCadence(acme, cadence_id)
  assert.deepEqual([enrolled_count, live_count], [200, 200])
})

test('the bulk action requires a cadence, an active sender and the scope', async () => {
  const acme = await tenant()
  const { id: cadence_id } = await newActiveCadence(acme)
  const draft = await newCadence(acme)
  const lead_ids = [await newLead(acme)]
  const send = (params: object, user: Pick<Acme['member'], 'post'> = acme.member) =>
    user.post('/api/leads/bulk', { action: 'enroll_cadence', lead_ids, params })
  const errorOf = async (params: object) => {
    const { status, body } = await send(params)
    return [status, body.errors?.[0]?.path ?? body.code]
  }

  assert.deepEqual(await errorOf({}), [422, '/params/cadence_id'])
  assert.deepEqual(await errorOf({ cadence_id: newId() }), [422, '/params/cadence_id'])
  assert.deepEqual(await errorOf({ cadence_id, sender_id: newId() }), [422, '/params/sender_id'])
  assert.deepEqual(await errorOf({ cadence_id: draft.id }), [409, 'cadence_not_active'])
  assert.match((await send({ cadence_id: draft.id })).body.detail, /is draft\. Activate it first\.$/)
  const key = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['leads.write'] })
  assert.equal((await send({ cadence_id }, acme.bearer(`ApiKey ${key.body.key}`))).status, 403)
  const { body } = await send({ cadence_id, sender_id: acme.manager.userId }, acme.manager)
  assert.equal(body.results[0].outcome, 'ok')
  assert.equal((await listEnrollments(acme, cadence_id, `?sender_id=${acme.manager.userId}`)).length, 1)
})

test('more than 200 persons are enrolled by a task, at most 10,000', async () => {
  const acme = await tenant()
  const { id } = await newActiveCadence(acme)
  const unknown = Array.from({ length: 520 }, () => newId())
  const lead_ids = [...(await insertLeads(acme, 3)), ...unknown]
  const url = `${cadencesUrl}${id}/enrollments`

  const started = await acme.member.post(url, { lead_ids, contact_ids: [await newContact(acme)] })
  const task = await waitForTask(acme, started.body)
  const tooMany = await acme.member.post(url, {
    lead_ids: Array.from({ length: 10_000 }, () => newId()),
    contact_ids: [newId()],
  })
  const none = await acme.member.post(url, {})

  assert.equal(started.status, 202, started.text)
  assert.deepEqual([task.state, task.result.enrolled, task.result.skipped], ['succeeded', 4, 520])
  assert.deepEqual(task.result.skipped_by_code, { not_found: 520 })
  assert.equal(task.result.results.length, 500)
  assert.deepEqual([tooMany.status, none.status], [422, 422])
})

test('crm-7-7 members of a segment are enrolled in a cadence unless they have opted out', async () => {
  const acme = await tenant()
  const { id: target_id } = await newActiveCadence(acme)
  const leads = [await newLead(acme), await newLead(acme), await newLead(acme)]
  await optOut(acme, leads[2]!)
  const { body: segment } = await acme.member.post('/api/segments', {
    object_type: 'lead',
    name: 'All',
    rules: { all: [] },
  })
  const enrollAll = () =>
    acme.manager.post(`/api/segments/${segment.id}/enroll`, {
      target_type: 'cadence',
      target_id,
      sender_id: acme.manager.userId,
    })

  const [first, second] = [await enrollAll(), await enrollAll()]

  assert.partialDeepStrictEqual(first.body, { matched: 3, enrolled: 2 })
  assert.deepEqual(first.body.skipped, { opted_out: 1 })
  assert.partialDeepStrictEqual(second.body, { matched: 3, enrolled: 0 })
  assert.deepEqual(second.body.skipped, { already_enrolled: 2, opted_out: 1 })
  const enrollments = await listEnrollments(acme, target_id)
  assert.deepEqual(
    enrollments.map(({ enrolled_via, sender_id }: Record<string, string>) => [enrolled_via, sender_id]),
    [
      ['segment', acme.manager.userId],
      ['segment', acme.manager.userId],
    ],
  )
})

test('enrolled persons become members of the campaign of the cadence', async () => {
  const acme = await tenant()
  const campaign = await newCampaign(acme)
  const { id } = await newActiveCadence(acme, { campaign_id: campaign.id })
  const [lead, contact] = [await newLead(acme), await newContact(acme)]

  await enroll(acme, id, { lead_ids: [lead], contact_ids: [contact] })
  const members = await waitForValue(
    () => listMembers(acme, campaign.id),
    (found) => found.length === 2,
  )

  assert.ok(members.every(({ added_via }: { added_via: string }) => added_via === 'cadence'))
})

test('enrollments are listed by status, step, sender and exit reason', async () => {
  const acme = await tenant()
  const { id, steps } = await newActiveCadence(acme)
  await enroll(acme, id, { lead_ids: [await newLead(acme)] })
  await enroll(acme, id, { lead_ids: [await newLead(acme)], sender_id: acme.manager.userId }, acme.manager)
  const [second, first] = await listEnrollments(acme, id)
  await acme.member.patch(`${cadencesUrl}${id}/enrollments/${first.id}`, { status: 'exited' })
  const list = async (query: string) => (await listEnrollments(acme, id, query)).map((one: { id: string }) => one.id)

  assert.deepEqual(await list('?status=active'), [second.id])
  assert.deepEqual(await list('?exit_reason=removed'), [first.id])
  assert.deepEqual(await list('?exit_reason=replied'), [])
  assert.deepEqual(await list(`?sender_id=${acme.manager.userId}`), [second.id])
  assert.deepEqual(await list(`?step_id=${steps[1].id}`), [])
  assert.ok((await list(`?step_id=${steps[0].id}`)).includes(second.id))
  const page = await acme.viewer.get(`${cadencesUrl}${id}/enrollments?limit=1`)
  const next = await acme.viewer.get(`${cadencesUrl}${id}/enrollments?limit=1&cursor=${page.body.next_cursor}`)
  assert.deepEqual([page.body.items[0].id, next.body.items[0].id], [second.id, first.id])
  const other = await tenant()
  assert.equal((await other.viewer.get(`${cadencesUrl}${id}/enrollments`)).status, 404)
  assert.equal((await other.member.post(`${cadencesUrl}${id}/enrollments`, { lead_ids: [newId()] })).status, 404)
  assert.equal((await acme.viewer.post(`${cadencesUrl}${id}/enrollments`, { lead_ids: [newId()] })).status, 403)
})

test('persons can be in as many cadences at the same time as the settings allow', async () => {
  const acme = await tenant()
  const cadences = [await newActiveCadence(acme), await newActiveCadence(acme), await newActiveCadence(acme)]
  await allowSending(acme, { max_live_cadences_per_person: 2 })
  const lead_ids = [await newLead(acme)]

  const results = []
  for (const { id } of cadences) results.push(...outcomesOf(await enroll(acme, id, { lead_ids })))

  assert.deepEqual(results, ['enrolled', 'enrolled', 'in_other_cadence'])
})
