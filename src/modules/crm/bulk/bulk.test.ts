import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Outcome = { lead_id: string; outcome: string; code: string | null }

const url = '/api/leads/'
const lead = async (acme: Acme, fields: object = {}) =>
  (await acme.member.post(url, { last_name: 'Moss', ...fields })).body
const createLeads = async (acme: Acme, count: number, fields: object = {}): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await lead(acme, fields)).id)
  return ids
}
const bulk = (acme: Acme, request: object) => acme.member.post(`${url}bulk`, request)
const outcomes = ({ body }: { body: { results: Outcome[] } }) =>
  body.results.map(({ outcome, code }) => code ?? outcome)
const statusOf = async (acme: Acme, id: string) => (await acme.member.get(`${url}${id}`)).body.status

test('crm-1-9 leads are processed independently: a converted and a foreign lead fail, another succeeds', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [open, converted, foreign] = [await lead(acme), await lead(acme), await lead(other)]
  await acme.member.post(`${url}${converted.id}/convert`)
  const key = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['leads.write'] })

  const response = await bulk(acme, {
    action: 'set_status',
    lead_ids: [converted.id, open.id, foreign.id, open.id],
    params: { status: 'working' },
  })
  const rejected = await acme
    .bearer(`ApiKey ${key.body.key}`)
    .post(`${url}bulk`, { action: 'delete', lead_ids: [open.id] })

  assert.equal(response.status, 200)
  assert.partialDeepStrictEqual(response.body, {
    action: 'set_status',
    total: 3,
    succeeded: 1,
    unchanged: 0,
    failed: 2,
  })
  assert.deepEqual(
    response.body.results.map(({ lead_id, outcome, code }: Outcome) => [lead_id, outcome, code]),
    [
      [converted.id, 'failed', 'lead_converted'],
      [open.id, 'ok', null],
      [foreign.id, 'failed', 'not_found'],
    ],
  )
  assert.equal(await statusOf(other, foreign.id), 'new')
  assert.deepEqual([rejected.status, rejected.body.required_scope], [403, 'leads.delete'])
  const again = await bulk(acme, { action: 'set_status', lead_ids: [open.id], params: { status: 'working' } })
  assert.deepEqual(outcomes(again), ['unchanged'])
})

test('crm-1-10 nothing changes if the filter does not match the expected number of leads', async () => {
  const acme = await tenant()
  const ids = await createLeads(acme, 3, { source: 'fair' })
  await createLeads(acme, 1)
  const run = (expected_count: number) =>
    bulk(acme, {
      action: 'set_status',
      filter: { source: ['fair'], rule: { field: 'last_name', op: 'eq', value: 'moss' } },
      expected_count,
      params: { status: 'nurturing' },
    })

  const wrongCount = await run(4)
  const untouched = await Promise.all(ids.map((id) => statusOf(acme, id)))
  const right = await run(3)

  assert.deepEqual([wrongCount.status, wrongCount.body.code, wrongCount.body.actual], [409, 'selection_changed', 3])
  assert.deepEqual(untouched, ['new', 'new', 'new'])
  assert.deepEqual([right.status, right.body.succeeded], [200, 3])
  assert.deepEqual(await Promise.all(ids.map((id) => statusOf(acme, id))), ['nurturing', 'nurturing', 'nurturing'])
  const events = (await acme.events()).filter((type) => type === 'lead.status_changed')
  assert.equal(events.length, 3)
})

test('leads are assigned to a user, unassigned, or distributed round-robin', async () => {
  const acme = await tenant()
  const ids = await createLeads(acme, 6)
  const users = [await acme.person('member'), await acme.person('member'), await acme.person('manager')]
  const userIds = users.map(({ userId }) => userId)
  const owners = async () =>
    (await acme.sql('select owner_id from crm.leads where id = any ($1)', [ids])).rows.map(({ owner_id }) => owner_id)

  const shared = await bulk(acme, { action: 'assign', lead_ids: ids, params: { distribute_to: userIds } })
  const distributed = await owners()
  const toOne = await bulk(acme, { action: 'assign', lead_ids: ids, params: { owner_id: userIds[0] } })
  const unassigned = await bulk(acme, { action: 'assign', lead_ids: ids, params: { owner_id: null } })

  assert.equal(shared.body.succeeded, 6)
  for (const id of userIds) assert.equal(distributed.filter((owner) => owner === id).length, 2)
  assert.deepEqual([toOne.body.succeeded, toOne.body.unchanged], [4, 2])
  assert.equal(unassigned.body.succeeded, 6)
  assert.deepEqual(new Set(await owners()), new Set([null]))
})

test('stages, scores and deletions work in bulk as for single leads', async () => {
  const acme = await tenant()
  const [one, two] = [await lead(acme), await lead(acme, { lifecycle_stage: 'sql' })]
  const own = await lead(acme)
  const managers = (await acme.manager.post(url, { last_name: 'Roy', owner_id: acme.manager.userId })).body
  const both = [one.id, two.id]

  const stages = await bulk(acme, { action: 'set_stage', lead_ids: both, params: { lifecycle_stage: 'mql' } })
  const params = { lifecycle_stage: 'lead', stage_reason: 'A mistake' }
  const back = await bulk(acme, { action: 'set_stage', lead_ids: both, params })
  const scored = await bulk(acme, { action: 'recompute', lead_ids: both })
  const deleted = await bulk(acme, { action: 'delete', lead_ids: [own.id, managers.id] })

  assert.deepEqual(outcomes(stages), ['ok', 'invalid_transition'])
  assert.deepEqual(outcomes(back), ['ok', 'ok'])
  assert.deepEqual(outcomes(scored), ['unchanged', 'unchanged'])
  assert.deepEqual(outcomes(deleted), ['ok', 'forbidden'])
  assert.equal((await acme.member.get(`${url}${own.id}`)).status, 404)
  assert.equal((await acme.events()).filter((type) => type === 'lead.deleted').length, 1)
})

test('a bulk update leaves the same records and events as single updates', async () => {
  const acme = await tenant()
  const config = (await acme.manager.get(`${url}scoring-config`)).body
  const { version: _, updated_at, updated_by, ...rules } = config
  const when = { field: 'status', op: 'eq', value: 'qualified' }
  const fit = { ...rules.fit, rules: [{ key: 'qualified', label: 'Qualified', when, points: 90, group: 'person' }] }
  const configured = await acme.manager.put(`${url}scoring-config`, { ...rules, fit })
  const [alone, ...together] = await createLeads(acme, 4)
  const owner_id = acme.manager.userId
  const fresh = await lead(acme, { lifecycle_stage: 'sql' })

  await acme.member.patch(`${url}${alone}`, { status: 'qualified' })
  await acme.member.patch(`${url}${alone}`, { owner_id })
  await bulk(acme, { action: 'set_status', lead_ids: [...together, fresh.id], params: { status: 'qualified' } })
  await bulk(acme, { action: 'assign', lead_ids: together, params: { owner_id } })

  const expected = await changeRecordsOf(acme, alone!)
  assert.deepEqual(expected.stages, ['lead f', 'lead mql t', 'mql sql f'])
  assert.deepEqual([configured.status, expected.lead.score > 0], [200, true])
  for (const id of together) assert.deepEqual(await changeRecordsOf(acme, id), expected)
  const { body } = await acme.member.get(`${url}${fresh.id}`)
  assert.deepEqual([body.status, body.lifecycle_stage, body.version], ['qualified', 'sql', 2])
})

/** All records of the changes of a lead, without those that only a single update writes. */
async function changeRecordsOf(acme: Acme, id: string) {
  const list = async (text: string) => (await acme.sql(text, [id])).rows.map(({ line }) => line)
  const { rows } = await acme.sql(
    `select status, lifecycle_stage, owner_id, version, score, grade, score_version, mql_at = sql_at as is_implied,
      assigned_at is not null as is_assigned from crm.leads where id = $1`,
    [id],
  )
  return {
    lead: rows[0],
    timeline: await list('select type || meta::text as line from crm.activities where lead_id = $1 order by id'),
    stages: await list(
      `select concat_ws(' ', from_stage, to_stage, implied) as line from crm.lifecycle_events where lead_id = $1 order by id`,
    ),
    assignments: await list('select user_id as line from crm.lead_assignments where lead_id = $1'),
    events: await list(
      `select type || data::text as line from platform.outbox_events where subject_id = $1
       and type <> 'lead.updated' order by id`,
    ),
    audited: await list(
      `select change ->> 'field' as line from platform.audit_log, jsonb_array_elements(changes) change
       where resource_id = $1::uuid and action <> 'lead.created' order by 1`,
    ),
  }
}

test('an invalid request is rejected as a whole', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const lead_ids = await createLeads(acme, 1)
  const errorOf = async (request: object) => {
    const { status, body } = await bulk(acme, { lead_ids, ...request })
    return [status, body.code, body.errors?.[0]?.path]
  }
  const invalid = (path: string) => [422, 'validation_failed', path]

  assert.deepEqual(await errorOf({ action: 'enrich' }), invalid('/action'))
  assert.deepEqual(await errorOf({ action: 'enroll_cadence', params: { cadence_id: newId() } }), invalid('/action'))
  assert.deepEqual(await errorOf({ action: 'set_status' }), invalid('/params/status'))
  assert.deepEqual(
    await errorOf({ action: 'set_status', params: { status: 'unqualified' } }),
    invalid('/params/disqualify_reason'),
  )
  assert.deepEqual(await errorOf({ action: 'delete', params: { force: true } }), invalid('/params/force'))
  assert.deepEqual(await errorOf({ action: 'assign', params: {} }), invalid('/params/owner_id'))
  const foreignOwner = { action: 'assign', params: { owner_id: other.member.userId } }
  assert.deepEqual(await errorOf(foreignOwner), [422, 'unknown_reference', '/params/owner_id'])
  const partlyForeign = { action: 'assign', params: { distribute_to: [acme.member.userId, other.member.userId] } }
  assert.deepEqual(await errorOf(partlyForeign), [422, 'unknown_reference', '/params/distribute_to/1'])
  assert.deepEqual(await errorOf({ action: 'recompute', filter: {}, expected_count: 1 }), invalid('/lead_ids'))
  assert.deepEqual(await errorOf({ action: 'recompute', lead_ids: undefined, filter: {} }), invalid('/expected_count'))
  const rule = { field: 'salary', op: 'eq', value: 1 }
  const invalidRule = { action: 'recompute', lead_ids: undefined, filter: { rule }, expected_count: 1 }
  assert.match((await errorOf(invalidRule))[2], /^\/filter\/rule/)
  assert.equal((await acme.viewer.post(`${url}bulk`, { action: 'recompute', lead_ids })).status, 403)
})

test('a repeated request with the same idempotency key runs once', async () => {
  const acme = await tenant()
  const lead_ids = await createLeads(acme, 60)
  const sender = acme.member.with({
    headers: { authorization: `Bearer ${acme.member.accessToken}`, 'idempotency-key': 'b1' },
  })
  const request = { action: 'set_status', lead_ids, params: { status: 'working' } }

  const [first, second] = [await sender.post(`${url}bulk`, request), await sender.post(`${url}bulk`, request)]

  assert.deepEqual([first.body.succeeded, second.body], [60, first.body])
  assert.equal(second.headers['idempotency-replayed'], 'true')
})
