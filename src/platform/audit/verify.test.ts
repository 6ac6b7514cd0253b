import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemActor } from '#platform/access'
import { inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { recordAudit, recordAuditEntries, sealTenantAuditLog, verifyAuditChain } from './index.ts'
import { sealAllEntries, signer } from './seal-all-entries.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

const newTenant = () => systemActor(newId())
const recordEntry = (actor: Actor) => inTenant(db, actor, (tx) => recordAudit(tx, 'lead.updated', { id: newId() }))
const verify = (actor: Actor, options?: { latest: number }) =>
  inTenant(db, actor, (tx) => verifyAuditChain(tx, { signer, ...options }))
const seal = () => sealAllEntries(systemDb, owner)

/** Creates a tenant with three seals of two entries each. */
async function createSealedTenant() {
  const actor = newTenant()
  for (let seals = 0; seals < 3; seals++) {
    const pair = [2 * seals, 2 * seals + 1].map((n) => ({
      id: newId(),
      label: `Ada ${n}`,
      before: { n: 1 },
      after: { n: 2 },
    }))
    await inTenant(db, actor, (tx) => recordAuditEntries(tx, 'lead.updated', pair))
    await seal()
  }
  return actor
}

const entryId = (n: number) =>
  `(select id from platform.audit_log where tenant_id = $1 and resource_label = 'Ada ${n}')`
const sealId = (n: number) =>
  `(select id from platform.audit_seals where tenant_id = $1 order by id offset ${n} limit 1)`
const manipulations: [name: string, statement: string, kind: string][] = [
  ['a changed action', `update platform.audit_log set action = 'lead.created' where id = ${entryId(3)}`, 'entries'],
  ['a changed actor', `update platform.audit_log set user_id = $1 where id = ${entryId(3)}`, 'entries'],
  ['a changed IP address', `update platform.audit_log set ip = '192.0.2.1' where id = ${entryId(3)}`, 'entries'],
  [
    'a changed time',
    `update platform.audit_log set created_at = created_at - interval '1 hour' where id = ${entryId(3)}`,
    'entries',
  ],
  [
    'a changed value',
    `update platform.audit_log set changes = '[{"field":"n","before":1,"after":3}]' where id = ${entryId(3)}`,
    'values',
  ],
  ['a changed label', `update platform.audit_log set resource_label = 'Bob' where id = ${entryId(3)}`, 'values'],
  [
    'changed values and digest',
    `update platform.audit_log set changes = null, resource_label = null, digest = sha256(salt || '{"changes":null,"resource_label":null}'::bytea) where id = ${entryId(3)}`,
    'entries',
  ],
  ['a deleted entry', `delete from platform.audit_log where id = ${entryId(3)}`, 'entries'],
  [
    'all entries of a seal deleted',
    `delete from platform.audit_log where id in (${entryId(2)}, ${entryId(3)})`,
    'entries',
  ],
  [
    'an entry moved to another transaction',
    `update platform.audit_log set xact = (select to_xact from platform.audit_seals where id = ${sealId(1)}) where id = ${entryId(3)}`,
    'entries',
  ],
  ['an entry moved to another epoch', `update platform.audit_log set epoch = 0 where id = ${entryId(0)}`, 'entries'],
  ['a deleted seal', `delete from platform.audit_seals where id = ${sealId(1)}`, 'link'],
  ['a deleted first seal', `delete from platform.audit_seals where id = ${sealId(0)}`, 'unsealed'],
  ['a changed hash', `update platform.audit_seals set hash = sha256('x') where id = ${sealId(1)}`, 'signature'],
  ['a changed link', `update platform.audit_seals set prev_hash = sha256('x') where id = ${sealId(1)}`, 'signature'],
  ['a changed range', `update platform.audit_seals set to_xact = '9000000000' where id = ${sealId(0)}`, 'signature'],
]

for (const [name, statement, kind] of manipulations)
  test(`verification detects ${name}`, async () => {
    const actor = await createSealedTenant()
    assert.deepEqual(await verify(actor), { seals: 3, entries: 6, mismatch: null })

    const { rowCount } = await owner.query(statement, [actor.tenantId])

    assert.ok(rowCount)
    assert.equal((await verify(actor)).mismatch?.kind, kind)
  })

test('verification detects an entry inserted into a sealed range', async () => {
  const actor = await createSealedTenant()

  await owner.query(
    `insert into platform.audit_log select (jsonb_populate_record(audit_log, jsonb_build_object('id', gen_random_uuid()))).*
     from platform.audit_log where id = ${entryId(3)} and tenant_id = $1`,
    [actor.tenantId],
  )

  assert.equal((await verify(actor)).mismatch?.kind, 'entries')
})

test('the first mismatch contains the seal and, if known, the entry', async () => {
  const actor = await createSealedTenant()
  const { rows } = await owner.query(`select ${entryId(3)} as entry, ${sealId(1)} as seal`, [actor.tenantId])

  await owner.query(`update platform.audit_log set resource_label = 'Bob' where id = ${entryId(3)}`, [actor.tenantId])

  assert.deepEqual(await verify(actor), {
    seals: 1,
    entries: 2,
    mismatch: { kind: 'values', sealId: rows[0].seal, entryId: rows[0].entry },
  })
})

test('a sample verifies only the latest seals', async () => {
  const actor = await createSealedTenant()
  await owner.query(`update platform.audit_log set action = 'lead.created' where id = ${entryId(1)}`, [actor.tenantId])

  const sample = await verify(actor, { latest: 2 })
  const all = await verify(actor, { latest: 3 })

  assert.deepEqual(sample, { seals: 2, entries: 4, mismatch: null })
  assert.equal(all.mismatch?.kind, 'entries')
})

test('a long chain is verified completely', async () => {
  const actor = newTenant()
  for (let n = 0; n < 510; n++) await recordEntry(actor)
  const { rows } = await owner.query('select xact from platform.audit_log where tenant_id = $1 order by xact', [
    actor.tenantId,
  ])
  for (const { xact } of rows.slice(1))
    await inSystem(systemDb, (tx) => sealTenantAuditLog(tx, actor.tenantId, { epoch: 1, until: xact, signer }))

  const report = await verify(actor)
  await owner.query(`update platform.audit_log set reason = 'x' where tenant_id = $1 and xact = $2`, [
    actor.tenantId,
    rows[508].xact,
  ])
  const forged = await verify(actor)

  assert.deepEqual(report, { seals: 509, entries: 509, mismatch: null })
  assert.deepEqual([forged.seals, forged.mismatch?.kind], [508, 'entries'])
})
