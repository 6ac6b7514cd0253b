// A database restored into a server whose transactions count from the start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemIn } from '#platform/access'
import { inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { record, sealAuditLog, verifyAuditChain } from './index.ts'
import { sealEverything } from './seal-everything.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

test('after a restore a new epoch begins, and one chain covers what was before and after', async () => {
  const actor = systemIn(newId())
  const note = () => inTenant(db, actor, (tx) => record(tx, 'lead.updated', { id: newId() }))
  const verify = () => inTenant(db, actor, (tx) => verifyAuditChain(tx))
  await note()
  await note()
  // As the former server left it: its transaction ids far ahead of this server's, the first entry sealed, the second not yet.
  await owner.query('update platform.audit_log set xact = (xact::text::numeric + 1000000000)::text::xid8')
  const { rows: left } = await owner.query('select max(xact) as until from platform.audit_log')
  await inSystem(systemDb, (tx) => sealAuditLog(tx, actor.tenantId, { epoch: 1, until: left[0].until }))
  await owner.query('update platform.audit_sealing set sealed_before = $1', [left[0].until])

  await note()
  await note()
  const { rows: written } = await owner.query('select epoch from platform.audit_log order by id')
  await sealEverything(systemDb, owner)
  await note()
  await sealEverything(systemDb, owner)

  assert.deepEqual(
    written.map(({ epoch }) => epoch),
    [1, 1, 2, 2],
  )
  const { rows } = await owner.query('select epoch, count from platform.audit_seals order by epoch, from_xact')
  assert.deepEqual(rows, [
    { epoch: 1, count: 1 },
    { epoch: 1, count: 1 },
    { epoch: 2, count: 2 },
    { epoch: 2, count: 1 },
  ])
  assert.deepEqual(await verify(), { seals: 4, entries: 5, mismatch: null })
})
