import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForValue } from '#testing'
import { type Acme, createLeadWith, leadsUrl } from '../../people/leads/leads.fixture.ts'
import { bulkUpdate, createLeads, type Outcome, outcomesOf } from './bulk.fixture.ts'
import { BulkLeadsRequest } from './lead-bulk.schemas.ts'
import { leadBulkActionPoint } from './lead-bulk-kind.ts'

const { tenant, owner, services } = await startTestApp()
const statusOf = async (acme: Acme, id: string) => (await acme.member.get(`${leadsUrl}${id}`)).body.status

test('crm-1-9 leads are processed independently: a converted and a foreign lead fail, another succeeds', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [open, converted, foreign] = [
    await createLeadWith(acme, {}),
    await createLeadWith(acme, {}),
    await createLeadWith(other, {}),
  ]
  await acme.member.post(`${leadsUrl}${converted.id}/convert`)
  const key = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['leads.write'] })

  const response = await bulkUpdate(acme, {
    action: 'set_status',
    lead_ids: [converted.id, open.id, foreign.id, open.id],
    params: { status: 'working' },
  })
  const rejected = await acme
    .bearer(`ApiKey ${key.body.key}`)
    .post(`${leadsUrl}bulk`, { action: 'delete', lead_ids: [open.id] })

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
  const again = await bulkUpdate(acme, { action: 'set_status', lead_ids: [open.id], params: { status: 'working' } })
  assert.deepEqual(outcomesOf(again), ['unchanged'])
})

test('crm-1-10 nothing changes if the filter does not match the expected number of leads', async () => {
  const acme = await tenant()
  const ids = await createLeads(acme, 3, { source: 'fair' })
  await createLeads(acme, 1)
  const run = (expected_count: number) =>
    bulkUpdate(acme, {
      action: 'set_status',
      filter: { field: 'last_name', op: 'eq', value: 'moss' },
      query: { source: ['fair'] },
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

  const shared = await bulkUpdate(acme, { action: 'assign', lead_ids: ids, params: { distribute_to: userIds } })
  const distributed = await owners()
  const toOne = await bulkUpdate(acme, { action: 'assign', lead_ids: ids, params: { owner_id: userIds[0] } })
  const unassigned = await bulkUpdate(acme, { action: 'assign', lead_ids: ids, params: { owner_id: null } })

  assert.equal(shared.body.succeeded, 6)
  for (const id of userIds) assert.equal(distributed.filter((owner) => owner === id).length, 2)
  assert.deepEqual([toOne.body.succeeded, toOne.body.unchanged], [4, 2])
  assert.equal(unassigned.body.succeeded, 6)
  assert.deepEqual(new Set(await owners()), new Set([null]))
})

test('stages, scores and deletions work in bulk as for single leads', async () => {
  const acme = await tenant()
  const [one, two] = [await createLeadWith(acme, {}), await createLeadWith(acme, { lifecycle_stage: 'sql' })]
  const own = await createLeadWith(acme, {})
  const managers = (await acme.manager.post(leadsUrl, { last_name: 'Roy', owner_id: acme.manager.userId })).body
  const both = [one.id, two.id]

  const stages = await bulkUpdate(acme, { action: 'set_stage', lead_ids: both, params: { lifecycle_stage: 'mql' } })
  const params = { lifecycle_stage: 'lead', stage_reason: 'A mistake' }
  const back = await bulkUpdate(acme, { action: 'set_stage', lead_ids: both, params })
  const scored = await bulkUpdate(acme, { action: 'recompute', lead_ids: both })
  const deleted = await bulkUpdate(acme, { action: 'delete', lead_ids: [own.id, managers.id] })

  assert.deepEqual(outcomesOf(stages), ['ok', 'invalid_transition'])
  assert.deepEqual(outcomesOf(back), ['ok', 'ok'])
  assert.deepEqual(outcomesOf(scored), ['unchanged', 'unchanged'])
  assert.deepEqual(outcomesOf(deleted), ['ok', 'forbidden'])
  assert.equal((await acme.member.get(`${leadsUrl}${own.id}`)).status, 404)
  assert.equal((await acme.events()).filter((type) => type === 'lead.deleted').length, 1)
})

test('the filter of a bulk action selects the same leads as the filter of the list', async () => {
  const acme = await tenant()
  await createLeads(acme, 2, { source: 'fair' })
  await createLeads(acme, 1)
  const filter = { field: 'source', op: 'eq', value: 'fair' }

  const listed = await acme.member.get(`${leadsUrl}?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  const updated = await bulkUpdate(acme, { action: 'recompute', filter, expected_count: listed.body.total })

  assert.deepEqual([updated.status, updated.body.total], [200, 2])
})

test('the document offers exactly the bulk actions that exist', () => {
  const names = services.registry.extensionsOf(leadBulkActionPoint).map(({ name }) => name)

  assert.deepEqual([...BulkLeadsRequest.properties.action.enum].sort(), names.sort())
})

test('an invalid request is rejected as a whole', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const lead_ids = await createLeads(acme, 1)
  const errorOf = async (request: object) => {
    const { status, body } = await bulkUpdate(acme, { lead_ids, ...request })
    return [status, body.code, body.errors?.[0]?.path]
  }
  const invalid = (path: string) => [422, 'validation_failed', path]

  assert.deepEqual(await errorOf({ action: 'archive' }), invalid('/action'))
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
  const selectedBy = (selection: object) => ({
    action: 'recompute',
    lead_ids: undefined,
    expected_count: 1,
    ...selection,
  })
  assert.deepEqual(await errorOf(selectedBy({ filter: rule })), invalid('/filter/field'))
  assert.deepEqual(
    await errorOf(selectedBy({ query: { owner_id: 'me', unassigned: true } })),
    invalid('/query/unassigned'),
  )
  assert.equal((await acme.viewer.post(`${leadsUrl}bulk`, { action: 'recompute', lead_ids })).status, 403)
})

test('a repeated request with the same idempotency key runs once', async () => {
  const acme = await tenant()
  const lead_ids = await createLeads(acme, 60)
  const sender = acme.member.with({
    headers: { authorization: `Bearer ${acme.member.accessToken}`, 'idempotency-key': 'b1' },
  })
  const request = { action: 'set_status', lead_ids, params: { status: 'working' } }

  const [first, second] = [await sender.post(`${leadsUrl}bulk`, request), await sender.post(`${leadsUrl}bulk`, request)]

  assert.deepEqual([first.body.succeeded, second.body], [60, first.body])
  assert.equal(second.headers['idempotency-replayed'], 'true')
})

test('a request that is repeated after a crash distributes each lead once', async () => {
  const acme = await tenant()
  const lead_ids = await createLeads(acme, 60)
  const headers = { authorization: `Bearer ${acme.manager.accessToken}`, 'idempotency-key': 'b2' }
  const request = {
    action: 'assign',
    lead_ids,
    params: { distribute_to: [acme.manager.userId, acme.member.userId] },
  }
  const send = () => acme.manager.with({ headers }).post(`${leadsUrl}bulk`, request)
  const client = await owner.connect()
  await client.query('begin')
  await client.query('select from crm.leads where id = $1 for update', [lead_ids[55]])
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const findBlocked = async () =>
    (
      await owner.query('select pid from pg_stat_activity where $1::integer = any (pg_blocking_pids(pid))', [
        rows[0].pid,
      ])
    ).rows[0]?.pid

  const crashing = send()
  await owner.query('select pg_terminate_backend($1)', [await waitForValue(findBlocked, Boolean)])
  const crashed = await crashing
  await client.query('rollback')
  client.release()
  // The response does not wait until the key is released.
  const repeated = await waitForValue(send, ({ status }) => status !== 409)

  assert.deepEqual([crashed.status, repeated.status, repeated.body.succeeded], [503, 200, 60])
  const assigned = await acme.sql(
    `select user_id, count(*)::integer as assignments, count(distinct lead_id)::integer as leads
     from crm.lead_assignments where tenant_id = $1 group by 1`,
    [acme.id],
  )
  assert.deepEqual(
    assigned.rows.map(({ assignments, leads }) => [assignments, leads]),
    [
      [30, 30],
      [30, 30],
    ],
  )
})
