import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type Actor, systemActor } from '#platform/access'
import { enterTenant, inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import {
  isSealed,
  recordAudit,
  recordAuditEntries,
  redactAuditEntries,
  sealAuditLogs,
  verifyAuditChain,
} from './index.ts'
import { sealAllEntries, signer } from './seal-all-entries.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

const newTenant = () => systemActor(newId())
const recordEntry = (actor: Actor, label = 'Ada') =>
  inTenant(db, actor, (tx) =>
    recordAudit(tx, 'lead.updated', { id: newId(), label, before: { n: 1 }, after: { n: 2 } }),
  )
const verify = (actor: Actor) => inTenant(db, actor, (tx) => verifyAuditChain(tx))
const seal = () => sealAllEntries(systemDb, owner)
const labels = (actor: Actor) =>
  inTenant(db, actor, (tx) =>
    tx
      .selectFrom('platform.audit_log')
      .select(['resource_label', isSealed.as('sealed')])
      .orderBy('id')
      .execute(),
  )

test('entries are sealed per tenant and the chains are valid', async () => {
  const [one, other] = [newTenant(), newTenant()]
  await recordEntry(one)
  await recordEntry(one)
  await recordEntry(other)

  const first = await seal()
  await recordEntry(one)
  const second = await seal()
  const third = await seal()

  const counts = (seals: typeof first) => seals.map(({ tenantId, count }) => [tenantId, count]).sort()
  assert.deepEqual(
    counts(first),
    [
      [one.tenantId, 2],
      [other.tenantId, 1],
    ].sort(),
  )
  assert.deepEqual([counts(second), third], [[[one.tenantId, 1]], []])
  assert.deepEqual(await verify(one), { seals: 2, entries: 3, mismatch: null })
  assert.deepEqual(await verify(other), { seals: 1, entries: 1, mismatch: null })
  assert.deepEqual(await verify(newTenant()), { seals: 0, entries: 0, mismatch: null })
})

test('an entry shows whether it is sealed', async () => {
  const actor = newTenant()
  const unsealed = newTenant()
  await recordEntry(actor, 'first')
  await seal()
  await recordEntry(actor, 'second')
  await recordEntry(unsealed, 'only')

  assert.deepEqual(await labels(actor), [
    { resource_label: 'first', sealed: true },
    { resource_label: 'second', sealed: false },
  ])
  assert.deepEqual(await labels(unsealed), [{ resource_label: 'only', sealed: false }])
})

test('an entry that commits late is sealed by a later seal', async () => {
  const actor = newTenant()
  await recordEntry(actor, 'before')
  await seal()
  const commit = Promise.withResolvers<void>()
  const isWritten = Promise.withResolvers<void>()
  const late = inTenant(db, actor, async (tx) => {
    await recordAudit(tx, 'lead.updated', { id: newId(), label: 'late' })
    isWritten.resolve()
    await commit.promise
  })
  await isWritten.promise
  await recordEntry(actor, 'during')

  await sealAuditLogs({ systemDb, signer })
  const whileOpen = await labels(actor)
  commit.resolve()
  await late
  await seal()

  assert.deepEqual(whileOpen, [
    { resource_label: 'before', sealed: true },
    { resource_label: 'during', sealed: false },
  ])
  assert.deepEqual(await verify(actor), { seals: 2, entries: 3, mismatch: null })
  assert.ok((await labels(actor)).every(({ sealed }) => sealed))
})

test('concurrent sealers and writers produce a complete, valid chain', async () => {
  const tenants = [newTenant(), newTenant(), newTenant()]
  let isWriting = true
  const write = async (actor: Actor) => {
    for (let n = 0; n < 40; n++)
      await inTenant(db, actor, async (tx) => {
        await recordAudit(tx, 'lead.updated', { id: newId(), label: `${n}` })
        await sleep(Math.random() * 8)
      })
  }
  const sealRepeatedly = async () => {
    while (isWriting) await sealAuditLogs({ systemDb, signer })
  }

  const sealers = [sealRepeatedly(), sealRepeatedly(), sealRepeatedly()]
  await Promise.all([...tenants, ...tenants].map(write))
  isWriting = false
  await Promise.all(sealers)
  await seal()

  for (const tenant of tenants) {
    const { seals, entries, mismatch } = await verify(tenant)
    assert.deepEqual([entries, mismatch], [80, null])
    assert.ok(seals > 1)
  }
})

test('a large backlog is sealed in several seals without splitting a transaction', async () => {
  const actor = newTenant()
  const entries = Array.from({ length: 3_000 }, () => ({ id: newId() }))
  for (let n = 0; n < 5; n++) await inTenant(db, actor, (tx) => recordAuditEntries(tx, 'lead.updated', entries))

  const seals = await seal()

  assert.deepEqual(
    seals.map(({ count }) => count),
    [12_000, 3_000],
  )
  assert.deepEqual(await verify(actor), { seals: 2, entries: 15_000, mismatch: null })
})

test('all recordable values verify after a database round trip', async () => {
  const actor = newTenant()
  const rows = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ noUnicodeString: false }))
  const entries = fc.sample(rows, 300).map((after, n) => ({ id: newId(), label: `\uDC00 ${n}`, after }))
  await inTenant(db, actor, (tx) => recordAuditEntries(tx, 'lead.created', entries))

  await seal()

  assert.deepEqual(await verify(actor), { seals: 1, entries: 300, mismatch: null })
})

test('redaction before or after sealing keeps the chain valid', async () => {
  const actor = newTenant()
  const [early, late] = [newId(), newId()]
  const redact = (id: string) =>
    inSystem(systemDb, async (tx) => redactAuditEntries(await enterTenant(tx, actor), 'lead', [id]))
  for (const id of [early, late])
    await inTenant(db, actor, (tx) => recordAudit(tx, 'lead.created', { id, label: 'Ada', after: { name: 'Ada' } }))

  const beforeSealing = await redact(early)
  await seal()
  const afterSealing = await redact(late)

  assert.deepEqual([beforeSealing, afterSealing], [1, 1])
  assert.deepEqual(await verify(actor), { seals: 1, entries: 2, mismatch: null })
  const { rows } = await owner.query(`select audit_log::text as line from platform.audit_log where tenant_id = $1`, [
    actor.tenantId,
  ])
  assert.doesNotMatch(JSON.stringify(rows), /Ada/)
})

test('an error in one tenant does not prevent sealing the others, and is retried', async () => {
  const [failing, fine] = [newTenant(), newTenant()]
  await recordEntry(failing)
  await recordEntry(fine)
  await owner.query(`
    create function platform.fail() returns trigger language plpgsql as $$ begin raise 'no space left'; end $$;
    create trigger fail before insert on platform.audit_seals for each row
      when (new.tenant_id = '${failing.tenantId}') execute function platform.fail()`)

  await assert.rejects(seal(), /Sealing the audit log failed for 1 tenants/)
  const duringFailure = [await verify(failing), await verify(fine)]
  await owner.query('drop trigger fail on platform.audit_seals')
  await seal()

  assert.deepEqual(
    duringFailure.map(({ seals }) => seals),
    [0, 1],
  )
  assert.deepEqual(await verify(failing), { seals: 1, entries: 1, mismatch: null })
})
