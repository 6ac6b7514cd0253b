import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { runScheduleNow } from '#platform/jobs'
import { startTestApp, waitUntil } from '#testing'
import { purgeableRecords, purgeDeletedBatch } from '../../records/removal/purge-deleted.queries.ts'
import type { CrmSettings } from '../../records/settings/crm-settings.schemas.ts'
import { pickOwners } from './assignment.service.ts'
import { foldOpenLeadCounts } from './open-leads.queries.ts'

const { tenant, db, clock, services, startTestWorker } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Mode = CrmSettings['assignment']['mode']

const url = '/api/leads/'
const createLead = async (acme: Acme, fields: object = {}) =>
  (await acme.manager.post(url, { last_name: 'Moss', ...fields })).body
const assign = (acme: Acme, mode: Mode, owner_ids: string[]) =>
  acme.manager.put(`${url}settings`, { assignment: { mode, owner_ids } })
const inAcme = <T>(acme: Acme, work: Parameters<typeof inTenant<T>>[2]) => inTenant(db, systemActor(acme.id), work)

/** Counters, and what a count of the leads and assignments gives. */
async function countersOf(acme: Acme) {
  const list = async (text: string) => (await acme.sql(text, [acme.id])).rows
  return {
    open: await list(
      `select user_id, sum(leads)::integer as leads from crm.open_lead_counts where tenant_id = $1
       group by 1 having sum(leads) <> 0 order by 1`,
    ),
    assigned: await list(
      `select user_id, assigned_leads as leads from crm.assignment_state
       where tenant_id = $1 and assigned_since is not null order by 1`,
    ),
  }
}

async function recount(acme: Acme) {
  const list = async (text: string) => (await acme.sql(text, [acme.id])).rows
  return {
    open: await list(
      `select owner_id as user_id, count(*)::integer as leads from crm.leads where tenant_id = $1 and owner_id is not null
       and deleted_at is null and status not in ('converted', 'unqualified') group by 1 order by 1`,
    ),
    assigned: await list(
      `select user_id, (select count(*)::integer from crm.lead_assignments assignment
         where assignment.tenant_id = $1 and assignment.user_id = state.user_id and at > assigned_since) as leads
       from crm.assignment_state state where tenant_id = $1 and assigned_since is not null order by 1`,
    ),
  }
}

/** Deterministic pseudo-random numbers, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
}

test('counters of owners equal a recount after any concurrent changes of leads', async () => {
  const acme = await tenant()
  const users = [acme.admin, acme.manager, acme.member].map(({ userId }) => userId)
  const random = createRandom(20_261_115)
  const [ids, merges]: [string[], string[]] = [[], []]
  const pick = <T>(choices: readonly T[]): T => choices[random(choices.length)]!
  const pickIds = () => [...new Set([pick(ids), pick(ids), pick(ids)])]
  const bulk = (action: string, params?: object) =>
    acme.manager.post(`${url}bulk`, { action, lead_ids: pickIds(), params })
  const create = async (fields: object = {}) => ids.push((await createLead(acme, fields)).id)
  const merge = async () => {
    const [primary, ...duplicate_ids] = pickIds()
    const { body } = await acme.manager.post(`${url}${primary}/merge`, { duplicate_ids })
    if (body.merge_id) merges.push(body.merge_id)
  }
  const purge = () => {
    const lead = purgeableRecords.find(({ type }) => type === 'lead')!
    return inAcme(acme, (tx) => purgeDeletedBatch(tx, lead, daysLater(clock.now(), 1)))
  }
  const operations = [
    () => create(),
    () => create(),
    () => create({ owner_id: pick(users), status: 'unqualified', disqualify_reason: 'other' }),
    () => acme.manager.patch(`${url}${pick(ids)}`, { owner_id: pick([...users, null]) }),
    () => acme.manager.patch(`${url}${pick(ids)}`, { status: 'unqualified', disqualify_reason: 'other' }),
    () => acme.manager.patch(`${url}${pick(ids)}`, { status: 'working' }),
    () => bulk('assign', { distribute_to: users }),
    () => bulk('set_status', { status: 'nurturing' }),
    () => bulk('delete'),
    () => acme.manager.post(`${url}${pick(ids)}/restore`),
    () => acme.manager.post(`${url}${pick(ids)}/convert`),
    merge,
    () => acme.manager.post(`${url}merges/${merges.pop()}/undo`),
    () => inAcme(acme, (tx) => foldOpenLeadCounts(tx, users)),
  ]
  await create()

  for (const mode of ['round_robin', 'least_open'] as const) {
    await assign(acme, mode, users)
    for (let round = 0; round < 8; round++) {
      await Promise.all(Array.from({ length: 6 }, () => pick(operations)()))
      assert.deepEqual(await countersOf(acme), await recount(acme), `${mode} ${round}`)
    }
  }
  assert.ok((await purge()) > 0)
  assert.deepEqual(await countersOf(acme), await recount(acme), 'after a purge')
  assert.ok(ids.length > 10)
})

test('assignments leave the counters of round-robin after 30 days', async () => {
  const acme = await tenant()
  const users = [acme.manager.userId, acme.member.userId].sort() as [string, string]
  const assignment = { mode: 'round_robin' as const, owner_ids: users }
  const [first, second] = users
  await acme.sql(
    `insert into crm.lead_assignments (tenant_id, id, lead_id, user_id, at)
     select $1, gen_random_uuid(), $2, $3, $4::timestamptz - n * interval '10 days' from generate_series(0, 4) n`,
    [acme.id, (await createLead(acme)).id, first, clock.now()],
  )
  const pickAt = (days: number) =>
    inAcme(acme, async (tx) => (await pickOwners(tx, assignment, [{}], daysLater(clock.now(), days)))[0])
  const counts: unknown[] = []

  for (const days of [0, 15, 25, 35]) {
    await pickAt(days)
    counts.push((await countersOf(acme)).assigned.map(({ leads }) => leads))
    assert.deepEqual(await countersOf(acme), await recount(acme))
  }

  assert.deepEqual(counts, [
    [3, 0],
    [2, 0],
    [1, 0],
    [0, 0],
  ])
  assert.equal(await pickAt(35), second, 'the user who never got a lead comes first')
})

test('a nightly schedule replaces the counts of open leads by their sums', async () => {
  const acme = await tenant()
  for (let n = 0; n < 5; n++) await createLead(acme, { owner_id: acme.member.userId })
  const countRows = async () =>
    (await acme.sql('select leads from crm.open_lead_counts where tenant_id = $1', [acme.id])).rows
  assert.equal((await countRows()).length, 5)

  await startTestWorker()
  await runScheduleNow(services.jobQueue, 'crm.fold_open_lead_counts')
  await waitUntil(async () => (await countRows()).length === 1)

  assert.deepEqual(await countRows(), [{ leads: 5 }])
  assert.deepEqual(await countersOf(acme), await recount(acme))
})

test('assignment by open leads replaces the counts it reads once there are many', async () => {
  const acme = await tenant()
  const users = [acme.manager.userId, acme.member.userId]
  await acme.sql(
    `insert into crm.open_lead_counts (tenant_id, user_id, id, leads)
     select $1, $2, gen_random_uuid(), case when n % 2 = 0 then 1 else -1 end from generate_series(1, 1000) n`,
    [acme.id, acme.member.userId],
  )

  await assign(acme, 'least_open', users)
  const owners = [(await createLead(acme)).owner_id, (await createLead(acme)).owner_id]

  assert.deepEqual(owners.sort(), users.sort())
  const { rows } = await acme.sql('select from crm.open_lead_counts where tenant_id = $1', [acme.id])
  assert.ok(rows.length <= 4)
})
