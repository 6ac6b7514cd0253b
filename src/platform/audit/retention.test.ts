import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemActor } from '#platform/access'
import { inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { deleteAuditEntriesBefore, recordAudit, recordAuditEntries, verifyAuditChain } from './index.ts'
import { sealAllEntries } from './seal-all-entries.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

const newTenant = () => systemActor(newId())
const recordEntry = (actor: Actor) => inTenant(db, actor, (tx) => recordAudit(tx, 'lead.updated', { id: newId() }))
const verify = (actor: Actor) => inTenant(db, actor, (tx) => verifyAuditChain(tx))
const yearAgo = new Date(Date.now() - 365 * 86_400_000)
const remove = (actor: Actor, batch = 1_000) =>
  inSystem(systemDb, (tx) => deleteAuditEntriesBefore(tx, actor, yearAgo, batch))

/** Records two entries with a seal of `daysAgo` days ago. */
async function recordSealedPair(actor: Actor, daysAgo: number) {
  await inTenant(db, actor, (tx) => recordAuditEntries(tx, 'lead.updated', [{ id: newId() }, { id: newId() }]))
  const seals = await sealAllEntries(systemDb, owner)
  const seal = seals.find(({ tenantId }) => tenantId === actor.tenantId)
  await owner.query(`update platform.audit_seals set created_at = now() - $1 * interval '1 day' where id = $2`, [
    daysAgo,
    seal?.sealId,
  ])
}

test('entries with expired seals are deleted, and the rest of the chain stays verifiable', async () => {
  const [actor, other] = [newTenant(), newTenant()]
  for (const daysAgo of [500, 400, 300]) await recordSealedPair(actor, daysAgo)
  await recordSealedPair(other, 500)
  await recordEntry(actor)

  const removed = await remove(actor)

  assert.deepEqual(removed, { entries: 4, hasMore: false })
  assert.deepEqual(await verify(actor), { seals: 1, entries: 2, mismatch: null })
  assert.deepEqual(await verify(other), { seals: 1, entries: 2, mismatch: null })
  const { rows } = await owner.query('select count(*)::integer from platform.audit_log where tenant_id = $1', [
    actor.tenantId,
  ])
  assert.deepEqual(rows, [{ count: 3 }])
})

test('entries are deleted in batches of whole seals, and the chain is valid after each batch', async () => {
  const actor = newTenant()
  for (const daysAgo of [500, 490, 480, 470, 1]) await recordSealedPair(actor, daysAgo)

  const steps: unknown[] = []
  for (let step = 0; step < 3; step++) {
    steps.push(await remove(actor, 3))
    assert.equal((await verify(actor)).mismatch, null)
  }

  assert.deepEqual(steps, [
    { entries: 4, hasMore: true },
    { entries: 4, hasMore: false },
    { entries: 0, hasMore: false },
  ])
})

test('if all entries have expired, the last seal is kept for the next one to continue', async () => {
  const actor = newTenant()
  for (const daysAgo of [500, 400]) await recordSealedPair(actor, daysAgo)

  const removed = await remove(actor)
  const afterDelete = await verify(actor)
  await recordSealedPair(actor, 0)
  const afterNewSeal = await verify(actor)

  assert.deepEqual(removed, { entries: 4, hasMore: false })
  assert.deepEqual(afterDelete, { seals: 1, entries: 0, mismatch: null })
  assert.deepEqual(afterNewSeal, { seals: 2, entries: 2, mismatch: null })
  assert.deepEqual(await remove(actor), { entries: 0, hasMore: false })
  assert.deepEqual(await verify(actor), { seals: 1, entries: 2, mismatch: null })
})

test('unsealed entries are kept whatever their age', async () => {
  const actor = newTenant()
  await recordEntry(actor)
  await owner.query(`update platform.audit_log set created_at = '2020-01-01' where tenant_id = $1`, [actor.tenantId])

  assert.deepEqual(await remove(actor), { entries: 0, hasMore: false })
})

test('after the deletion the transaction has the system role again, which cannot delete', async () => {
  const actor = newTenant()
  await recordSealedPair(actor, 500)

  const attempt = inSystem(systemDb, async (tx) => {
    await deleteAuditEntriesBefore(tx, actor, yearAgo, 10)
    await tx.deleteFrom('platform.audit_seals').execute()
  })

  await assert.rejects(attempt, { code: '42501' })
  assert.deepEqual(await verify(actor), { seals: 1, entries: 2, mismatch: null })
})

test('deletion waits for a running verification', async () => {
  const actor = newTenant()
  for (const daysAgo of [500, 400]) await recordSealedPair(actor, daysAgo)

  let isRemoved = false
  const { pendingRemoval, seen } = await inTenant(db, actor, async (tx) => {
    await verifyAuditChain(tx)
    const pendingRemoval = remove(actor).then(() => (isRemoved = true))
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { pendingRemoval, seen: { isRemoved, report: await verifyAuditChain(tx) } }
  })
  await pendingRemoval

  assert.deepEqual(seen, { isRemoved: false, report: { seals: 2, entries: 4, mismatch: null } })
  assert.equal(isRemoved, true)
})
