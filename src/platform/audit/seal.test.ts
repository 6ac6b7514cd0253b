import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type Actor, systemIn } from '#platform/access'
import { enterTenant, inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { isSealed, record, recordEach, redactAudit, sealAudit, verifyAuditChain } from './index.ts'
import { sealEverything } from './seal-everything.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

const newTenant = () => systemIn(newId())
const note = (actor: Actor, label = 'Ada') =>
  inTenant(db, actor, (tx) => record(tx, 'lead.updated', { id: newId(), label, before: { n: 1 }, after: { n: 2 } }))
const verify = (actor: Actor) => inTenant(db, actor, (tx) => verifyAuditChain(tx))
const seal = () => sealEverything(systemDb, owner)
const labels = (actor: Actor) =>
  inTenant(db, actor, (tx) =>
    tx
      .selectFrom('platform.audit_log')
      .select(['resource_label', isSealed.as('sealed')])
      .orderBy('id')
      .execute(),
  )

test('what happened is sealed tenant by tenant, and the chain holds', async () => {
  const [one, other] = [newTenant(), newTenant()]
  await note(one)
  await note(one)
  await note(other)

  const first = await seal()
  await note(one)
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

test('an entry says whether it is sealed', async () => {
  const actor = newTenant()
  const unsealed = newTenant()
  await note(actor, 'first')
  await seal()
  await note(actor, 'second')
  await note(unsealed, 'only')

  assert.deepEqual(await labels(actor), [
    { resource_label: 'first', sealed: true },
    { resource_label: 'second', sealed: false },
  ])
  assert.deepEqual(await labels(unsealed), [{ resource_label: 'only', sealed: false }])
})

test('what commits late is sealed late, and never slips behind a seal', async () => {
  const actor = newTenant()
  await note(actor, 'before')
  await seal()
  const commit = Promise.withResolvers<void>()
  const isWritten = Promise.withResolvers<void>()
  const late = inTenant(db, actor, async (tx) => {
    await record(tx, 'lead.updated', { id: newId(), label: 'late' })
    isWritten.resolve()
    await commit.promise
  })
  await isWritten.promise
  await note(actor, 'meanwhile')

  await sealAudit({ systemDb })
  const whileOpen = await labels(actor)
  commit.resolve()
  await late
  await seal()

  assert.deepEqual(whileOpen, [
    { resource_label: 'before', sealed: true },
    { resource_label: 'meanwhile', sealed: false },
  ])
  assert.deepEqual(await verify(actor), { seals: 2, entries: 3, mismatch: null })
  assert.ok((await labels(actor)).every(({ sealed }) => sealed))
})

test('several sealers at once and many writers leave one unbroken chain with every entry', async () => {
  const tenants = [newTenant(), newTenant(), newTenant()]
  let isWriting = true
  const write = async (actor: Actor) => {
    for (let n = 0; n < 40; n++)
      await inTenant(db, actor, async (tx) => {
        await record(tx, 'lead.updated', { id: newId(), label: `${n}` })
        await sleep(Math.random() * 8)
      })
  }
  const sealAlong = async () => {
    while (isWriting) await sealAudit({ systemDb })
  }

  const sealers = [sealAlong(), sealAlong(), sealAlong()]
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

test('a large backlog is sealed in parts, and a transaction is never split', async () => {
  const actor = newTenant()
  const entries = Array.from({ length: 3_000 }, () => ({ id: newId() }))
  for (let n = 0; n < 5; n++) await inTenant(db, actor, (tx) => recordEach(tx, 'lead.updated', entries))

  const seals = await seal()

  assert.deepEqual(
    seals.map(({ count }) => count),
    [12_000, 3_000],
  )
  assert.deepEqual(await verify(actor), { seals: 2, entries: 15_000, mismatch: null })
})

test('any value that can be recorded comes back as the one that was sealed', async () => {
  const actor = newTenant()
  const rows = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ noUnicodeString: false }))
  const entries = fc.sample(rows, 300).map((after, n) => ({ id: newId(), label: `\uDC00 ${n}`, after }))
  await inTenant(db, actor, (tx) => recordEach(tx, 'lead.created', entries))

  await seal()

  assert.deepEqual(await verify(actor), { seals: 1, entries: 300, mismatch: null })
})

test('erasing what entries say, before or after they are sealed, leaves the chain whole', async () => {
  const actor = newTenant()
  const [early, late] = [newId(), newId()]
  const redact = (id: string) =>
    inSystem(systemDb, async (tx) => redactAudit(await enterTenant(tx, actor), 'lead', [id]))
  for (const id of [early, late])
    await inTenant(db, actor, (tx) => record(tx, 'lead.created', { id, label: 'Ada', after: { name: 'Ada' } }))

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

test('trouble with one tenant does not keep the others unsealed, and is tried again', async () => {
  const [troubled, fine] = [newTenant(), newTenant()]
  await note(troubled)
  await note(fine)
  await owner.query(`
    create function platform.fail() returns trigger language plpgsql as $$ begin raise 'no space left'; end $$;
    create trigger fail before insert on platform.audit_seals for each row
      when (new.tenant_id = '${troubled.tenantId}') execute function platform.fail()`)

  await assert.rejects(seal(), /The audit log of 1 tenants was not sealed/)
  const whileInTrouble = [await verify(troubled), await verify(fine)]
  await owner.query('drop trigger fail on platform.audit_seals')
  await seal()

  assert.deepEqual(
    whileInTrouble.map(({ seals }) => seals),
    [0, 1],
  )
  assert.deepEqual(await verify(troubled), { seals: 1, entries: 1, mismatch: null })
})
