// A database restored into a server whose transaction ids start again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { recordAudit, sealTenantAuditLog, verifyAuditChain } from './index.ts'
import { sealAllEntries, signer } from './seal-all-entries.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

test('a restore starts a new epoch, and one chain covers entries before and after it', async () => {
  const actor = systemActor(newId())
  const recordEntry = () => inTenant(db, actor, (tx) => recordAudit(tx, 'lead.updated', { id: newId() }))
  const verify = () => inTenant(db, actor, (tx) => verifyAuditChain(tx))
  await recordEntry()
  await recordEntry()
  // State left by the former server: much higher transaction ids, the first entry sealed, the second one not.
  await owner.query('update platform.audit_log set xact = (xact::text::numeric + 1000000000)::text::xid8')
  const { rows: limits } = await owner.query('select max(xact) as until from platform.audit_log')
  await inSystem(systemDb, (tx) => sealTenantAuditLog(tx, actor.tenantId, { epoch: 1, until: limits[0].until, signer }))
  await owner.query('update platform.audit_sealing set sealed_before = $1', [limits[0].until])

  await recordEntry()
  await recordEntry()
  const { rows: written } = await owner.query('select epoch from platform.audit_log order by id')
  await sealAllEntries(systemDb, owner)
  await recordEntry()
  await sealAllEntries(systemDb, owner)

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
