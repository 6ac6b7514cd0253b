// Holds one lock, lets an operation wait for it, and takes the lock that comes next: it must be free, otherwise both would wait
// for each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { password, startTestApp, waitUntil } from '#testing'
import { purgeableRecords, purgeDeletedBatch } from '../../src/modules/crm/records/removal/purge-deleted.queries.ts'
import { reassignBatch } from '../../src/modules/identity/users/users/reassign-records.queries.ts'

const { tenant, owner, db, clock } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Lock = { text: string; values: unknown[] }

const url = '/api/leads/'
const lockRow = (table: string, id: string, column = 'id'): Lock => ({
  text: `select from ${table} where ${column} = $1 for update nowait`,
  values: [id],
})
const lockName = (acme: Acme, name: string): Lock => ({
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
  values: [`${acme.id}:${name}`],
})
const createLead = async (acme: Acme, fields: object = {}) =>
  (await acme.member.post(url, { last_name: 'Moss', ...fields })).body

/** Returns the result of the operation. A lock of `free` that the operation holds already fails. */
async function runAgainst<T>(held: Lock, operation: () => Promise<T>, free: Lock): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select pg_backend_pid() as pid')
    await client.query(held)
    const running = operation()
    await waitUntil(async () => {
      const blocked = await owner.query(
        'select from pg_stat_activity where $1::integer = any (pg_blocking_pids(pid))',
        [rows[0].pid],
      )
      return blocked.rowCount! > 0
    })
    await client.query(free)
    await client.query('rollback')
    return await running
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function withAutomaticAssignment(): Promise<Acme> {
  const acme = await tenant()
  const assignment = { mode: 'round_robin', owner_ids: [acme.member.userId] }
  await acme.manager.put(`${url}settings`, { assignment })
  await createLead(acme)
  return acme
}

test('a new lead waits for a new scoring config before it locks the assignment of owners', async () => {
  const acme = await withAutomaticAssignment()
  const config = lockName(acme, 'scoring_rules')

  const created = await runAgainst(
    config,
    () => acme.member.post(url, { last_name: 'Roy' }),
    lockRow('crm.assignment_state', acme.member.userId, 'user_id'),
  )

  assert.deepEqual([created.status, created.body.owner_id], [201, acme.member.userId])
})

test('a new lead waits for its source before it locks the assignment of owners', async () => {
  const acme = await withAutomaticAssignment()
  const source = {
    text: `insert into crm.lead_sources (tenant_id, key, label) values ($1, 'fair', 'Fair')`,
    values: [acme.id],
  }

  const created = await runAgainst(
    source,
    () => acme.member.post(url, { last_name: 'Roy', source: 'fair' }),
    lockRow('crm.assignment_state', acme.member.userId, 'user_id'),
  )

  assert.equal(created.status, 201)
})

test('restored leads and undone merges wait for a new scoring config before they lock leads', async () => {
  const acme = await tenant()
  const [surviving, merged, deleted] = [await createLead(acme), await createLead(acme), await createLead(acme)]
  const merge = await acme.manager.post(`${url}${surviving.id}/merge`, { duplicate_ids: [merged.id] })
  await acme.manager.delete(`${url}${deleted.id}`)
  const config = lockName(acme, 'scoring_rules')

  const undo = () => acme.manager.post(`${url}merges/${merge.body.merge_id}/undo`)
  const undone = await runAgainst(config, undo, lockRow('crm.leads', surviving.id))
  const restore = () => acme.manager.post(`${url}${deleted.id}/restore`)
  const restored = await runAgainst(config, restore, lockRow('crm.leads', deleted.id))

  assert.deepEqual([undone.status, restored.status], [200, 200])
})

test('a new quota waits for the workspace before it locks the user', async () => {
  const acme = await tenant()
  const quarterly_quota = { amount: '1000.00', currency: 'EUR' }

  const updated = await runAgainst(
    lockRow('identity.tenants', acme.id),
    () => acme.admin.patch(`/api/users/${acme.member.userId}`, { quarterly_quota }),
    lockRow('identity.users', acme.member.userId),
  )

  assert.deepEqual([updated.status, updated.body.quarterly_quota], [200, quarterly_quota])
})

test('a password change that revokes API keys does not block rows that refer to the user', async () => {
  const acme = await tenant()
  const change = { current_password: password, new_password: 'entirely different words', revoke_api_keys: true }

  const changed = await runAgainst(
    lockName(acme, 'api_keys'),
    () => acme.member.post('/api/auth/change-password', change),
    { text: 'select from identity.users where id = $1 for key share nowait', values: [acme.member.userId] },
  )

  assert.equal(changed.status, 200)
})

test('an erasure waits for sign-ins of the user before it locks the user', async () => {
  const acme = await tenant()
  const { userId } = await acme.person('member')
  await acme.admin.patch(`/api/users/${userId}`, { status: 'deactivated' })

  const erased = await runAgainst(
    lockRow('identity.user_presence', userId, 'user_id'),
    () => acme.admin.delete(`/api/users/${userId}`),
    lockRow('identity.users', userId),
  )

  assert.equal(erased.status, 204)
})

test('a purge waits for records that refer to the purged ones before it locks those and their activities', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { email: 'ann@x.example', company: 'Initech' })
  const { contact } = (await acme.member.post(`${url}${lead.id}/convert`)).body
  const { id: activityId } = (await acme.member.post(`${url}${lead.id}/activities`, { type: 'call' })).body
  await acme.manager.delete(`/api/contacts/${contact.id}`)
  await acme.sql(`update crm.contacts set deleted_at = now() - interval '31 days' where id = $1`, [contact.id])
  const record = purgeableRecords.find(({ type }) => type === 'contact')!
  const purge = () =>
    inTenant(db, systemActor(acme.id), (tx) => purgeDeletedBatch(tx, record, daysLater(clock.now(), -30)))

  const purged = await runAgainst(lockRow('crm.leads', lead.id), purge, {
    text: `with contact as (${lockRow('crm.contacts', '').text})
      select from crm.activities where id = $2 and exists (select from contact) for update nowait`,
    values: [contact.id, activityId],
  })

  assert.equal(purged, 1)
  const { rows } = await acme.sql('select contact_id from crm.activities where id = $1', [activityId])
  assert.deepEqual(rows, [{ contact_id: null }])
})

test('records of a former owner are reassigned in the order of their ids', async () => {
  const acme = await tenant()
  const [first, second] = [await createLead(acme), await createLead(acme)].map(({ id }) => id).sort()
  await acme.sql('update crm.leads set owner_id = $2 where id = $1', [second, acme.member.userId])
  await acme.sql('update crm.leads set owner_id = $2 where id = $1', [first, acme.member.userId])
  const reassign = () =>
    inTenant(db, systemActor(acme.id), (tx) =>
      reassignBatch(tx, { table: 'crm.leads', column: 'owner_id' }, acme.member.userId, acme.manager.userId),
    )

  const reassigned = await runAgainst(lockRow('crm.leads', first), reassign, lockRow('crm.leads', second))

  assert.equal(reassigned, 2)
})
