import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemIn } from '#platform/access'
import { inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { deleteAuditBefore, record, recordEach, verifyAuditChain } from './index.ts'
import { sealEverything } from './seal-everything.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

const newTenant = () => systemIn(newId())
const note = (actor: Actor) => inTenant(db, actor, (tx) => record(tx, 'lead.updated', { id: newId() }))
const verify = (actor: Actor) => inTenant(db, actor, (tx) => verifyAuditChain(tx))
const yearAgo = new Date(Date.now() - 365 * 86_400_000)
const remove = (actor: Actor, batch = 1_000) => inSystem(systemDb, (tx) => deleteAuditBefore(tx, actor, yearAgo, batch))

/** Two entries, sealed that many days ago. */
async function sealedPair(actor: Actor, daysAgo: number) {
  await inTenant(db, actor, (tx) => recordEach(tx, 'lead.updated', [{ id: newId() }, { id: newId() }]))
  const seals = await sealEverything(systemDb, owner)
  const seal = seals.find(({ tenantId }) => tenantId === actor.tenantId)
  await owner.query(`update platform.audit_seals set created_at = now() - $1 * interval '1 day' where id = $2`, [
    daysAgo,
    seal?.sealId,
  ])
}

test('what was sealed before its time is over goes, and the rest is verified from its first seal', async () => {
  const [actor, other] = [newTenant(), newTenant()]
  for (const daysAgo of [500, 400, 300]) await sealedPair(actor, daysAgo)
  await sealedPair(other, 500)
  await note(actor)

  const removed = await remove(actor)

  assert.deepEqual(removed, { entries: 4, hasMore: false })
  assert.deepEqual(await verify(actor), { seals: 1, entries: 2, mismatch: null })
  assert.deepEqual(await verify(other), { seals: 1, entries: 2, mismatch: null })
  const { rows } = await owner.query('select count(*)::integer from platform.audit_log where tenant_id = $1', [
    actor.tenantId,
  ])
  assert.deepEqual(rows, [{ count: 3 }])
})

test('it goes in batches of whole seals, and the chain holds after each', async () => {
  const actor = newTenant()
  for (const daysAgo of [500, 490, 480, 470, 1]) await sealedPair(actor, daysAgo)

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

test('when everything is over, the last seal stays for the next one to continue', async () => {
  const actor = newTenant()
  for (const daysAgo of [500, 400]) await sealedPair(actor, daysAgo)

  const removed = await remove(actor)
  const quiet = await verify(actor)
  await sealedPair(actor, 0)
  const awake = await verify(actor)

  assert.deepEqual(removed, { entries: 4, hasMore: false })
  assert.deepEqual(quiet, { seals: 1, entries: 0, mismatch: null })
  assert.deepEqual(awake, { seals: 2, entries: 2, mismatch: null })
  assert.deepEqual(await remove(actor), { entries: 0, hasMore: false })
  assert.deepEqual(await verify(actor), { seals: 1, entries: 2, mismatch: null })
})

test('what is not sealed yet stays, however old', async () => {
  const actor = newTenant()
  await note(actor)
  await owner.query(`update platform.audit_log set created_at = '2020-01-01' where tenant_id = $1`, [actor.tenantId])

  assert.deepEqual(await remove(actor), { entries: 0, hasMore: false })
})

test('after retention the transaction is the worker again, who may delete nothing', async () => {
  const actor = newTenant()
  await sealedPair(actor, 500)

  const attempt = inSystem(systemDb, async (tx) => {
    await deleteAuditBefore(tx, actor, yearAgo, 10)
    await tx.deleteFrom('platform.audit_seals').execute()
  })

  await assert.rejects(attempt, { code: '42501' })
  assert.deepEqual(await verify(actor), { seals: 1, entries: 2, mismatch: null })
})

test('retention waits for whoever is verifying the chain', async () => {
  const actor = newTenant()
  for (const daysAgo of [500, 400]) await sealedPair(actor, daysAgo)

  let isRemoved = false
  const { removing, seen } = await inTenant(db, actor, async (tx) => {
    await verifyAuditChain(tx)
    const removing = remove(actor).then(() => (isRemoved = true))
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { removing, seen: { isRemoved, report: await verifyAuditChain(tx) } }
  })
  await removing

  assert.deepEqual(seen, { isRemoved: false, report: { seals: 2, entries: 4, mismatch: null } })
  assert.equal(isRemoved, true)
})
