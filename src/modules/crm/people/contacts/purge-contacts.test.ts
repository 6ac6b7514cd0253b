import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScheduleNow } from '#platform/jobs'
import { startTestApp, waitUntil } from '#testing'
import { purgeableRecords } from '../../records/removal/purge-deleted.queries.ts'

const { owner, services, tenant, startTestWorker } = await startTestApp()

test('records deleted more than 30 days ago are purged, except accounts with deals', async () => {
  const acme = await tenant()
  const add = async (path: string, record: object) => (await acme.member.post(path, record)).body
  const account = await add('/api/accounts/', { name: 'Initech', tags: ['vip'] })
  const sold = await add('/api/accounts/', { name: 'Umbrella' })
  const deal = await add('/api/opportunities/', { name: 'Big', account_id: sold.id, close_on: '2030-01-01' })
  const gone = await add('/api/contacts/', { last_name: 'Moss', account_id: account.id, tags: ['vip'] })
  const recent = await add('/api/contacts/', { last_name: 'Roy', account_id: account.id })
  const lead = await add('/api/leads/', { last_name: 'Moss' })
  await acme.sql('update crm.leads set converted_contact_id = $2, converted_account_id = $3 where id = $1', [
    lead.id,
    gone.id,
    account.id,
  ])
  await add(`/api/contacts/${gone.id}/activities`, { type: 'call' })
  await add(`/api/accounts/${account.id}/activities`, { type: 'note' })
  await acme.member.patch(`/api/opportunities/${deal.id}`, { stage_key: 'closed_lost', lost_reason: 'price' })
  for (const url of [`/api/contacts/${gone.id}`, `/api/contacts/${recent.id}`]) await acme.member.delete(url)
  for (const { id } of [account, sold]) assert.equal((await acme.manager.delete(`/api/accounts/${id}`)).status, 204)
  await acme.sql(`update crm.contacts set deleted_at = now() - interval '31 days' where id = $1`, [gone.id])
  await acme.sql(`update crm.accounts set deleted_at = now() - interval '31 days' where tenant_id = $1`, [acme.id])
  const ids = async (table: string) =>
    (await acme.sql(`select id from ${table} where tenant_id = $1`, [acme.id])).rows.map(({ id }) => id)

  await startTestWorker()
  await runScheduleNow(services.jobQueue, 'crm.purge_deleted')
  await waitUntil(async () => (await ids('crm.accounts')).length <= 1)

  assert.deepEqual(await ids('crm.contacts'), [recent.id])
  assert.deepEqual(await ids('crm.accounts'), [sold.id], 'it has a deal')
  const { rows } = await acme.sql('select converted_contact_id, converted_account_id from crm.leads where id = $1', [
    lead.id,
  ])
  assert.deepEqual(rows, [{ converted_contact_id: null, converted_account_id: null }])
  const tags = await acme.sql('select tag from crm.record_tags where tenant_id = $1', [acme.id])
  assert.deepEqual(tags.rows, [])
  const back = await acme.manager.post(`/api/contacts/${recent.id}/restore`)
  assert.deepEqual([back.status, back.body.account], [200, null])
})

test('a purge locks every record that refers to the purged ones', async () => {
  const tables = purgeableRecords.map(({ table }) => table)
  const { rows } = await owner.query(
    `select confrelid::regclass::text as table, conrelid::regclass::text as referring, attname as column
     from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[2]
     where contype = 'f' and confdeltype = 'n' and confrelid::regclass::text = any ($1) and conrelid::regclass::text = any ($1)
     order by 1, 2`,
    [tables],
  )

  const locked = purgeableRecords.flatMap(({ table, references }) =>
    Object.entries(references).map(([referring, column]) => ({ table, referring, column })),
  )

  const byName = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
  assert.deepEqual(locked.sort(byName), rows.sort(byName))
})
