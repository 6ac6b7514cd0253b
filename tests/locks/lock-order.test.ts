import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { acquireAdvisoryLock, connect, disconnect, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { lockKinds } from '../../src/testing/lock-kinds.ts'
import { observeLockOrder } from '../../src/testing/lock-order.ts'

const { tenant, database } = await startTestApp()

test('the locks of the tests are those of the documented lock order', async () => {
  const text = await readFile(new URL('../../docs/architecture/lock-order.md', import.meta.url), 'utf8')
  const rows = text.matchAll(/^\| (\d+) +\| ([^|]+?) +\|/gm)
  const documented = [...rows].map(([, no, lock]) => [Number(no), lock])

  const observed = new Map(lockKinds.map(({ no, lock }) => [no, lock]))

  assert.deepEqual([...observed], documented)
})

test('a transaction that locks against the documented order is reported', async () => {
  const acme = await tenant()
  const leadIds: string[] = []
  for (let n = 0; n < 3; n++) leadIds.push((await acme.member.post('/api/leads/', { last_name: 'Moss' })).body.id)
  const [first, second, third] = leadIds.sort() as [string, string, string]
  const lockLead = (tx: TenantTx, id: string) =>
    tx.selectFrom('crm.leads').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const updateLeads = (tx: TenantTx, ids: string[]) =>
    sql`update crm.leads set notes = 'x' where id = any (${ids}::uuid[])`.execute(tx)
  const violationsOf = async (work: (tx: TenantTx) => Promise<unknown>) => {
    const db = connect(database.appUrl)
    const violations = observeLockOrder([db.pool])
    await inTenant(db, systemActor(acme.id), work)
    await disconnect(db)
    return violations.map((violation) => violation.split(':')[0]!.replace(/ rows locked.*/, ' rows'))
  }

  const late = await violationsOf(async (tx) => {
    await lockLead(tx, first)
    await acquireAdvisoryLock(tx, 'scoring_rules')
  })
  const ordered = await violationsOf(async (tx) => {
    await acquireAdvisoryLock(tx, 'scoring_rules')
    await lockLead(tx, first)
    await sql`insert into crm.lead_sources (key, label) values ('fair', 'Fair')`.execute(tx)
    await lockLead(tx, first)
    await updateLeads(tx, [first])
  })
  const unordered = await violationsOf((tx) => updateLeads(tx, [second, third]))
  const own = await violationsOf(async (tx) => {
    await sql`insert into crm.lead_sources (key, label) values ('shop', 'Shop')`.execute(tx)
    const lead = { id: newId(), last_name: 'Roy', source: 'shop', search_text: '', created_on: '2026-01-01' }
    await tx.insertInto('crm.leads').values(lead).execute()
    await lockLead(tx, lead.id)
  })
  const other = await violationsOf(async (tx) => {
    await sql`insert into crm.lead_sources (key, label) values ('web', 'Web')`.execute(tx)
    await lockLead(tx, third)
  })

  const afterTask = await violationsOf(async (tx) => {
    const task = { id: newId(), kind: 'test.wait', title: 'Wait', created_via: 'system' }
    await tx.insertInto('platform.background_tasks').values(task).execute()
    await sql`update platform.background_tasks set title = 'Wait longer' where kind = 'test.wait'`.execute(tx)
    await lockLead(tx, first)
  })

  assert.deepEqual(afterTask, ['leads, then the merge to undo (12) after background tasks (41)'])
  assert.deepEqual(late, [
    'effects of product qualifications, then scoring config (9) after leads, then the merge to undo (12)',
  ])
  assert.deepEqual(unordered.length, 1)
  assert.deepEqual([ordered, own], [[], []])
  assert.deepEqual(other, ['leads, then the merge to undo (12) after lead sources (13)'])
})
