import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemIn } from '#platform/access'
import { inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { record, recordEach, sealAuditLog, verifyAuditChain } from './index.ts'
import { sealEverything } from './seal-everything.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

const newTenant = () => systemIn(newId())
const note = (actor: Actor) => inTenant(db, actor, (tx) => record(tx, 'lead.updated', { id: newId() }))
const verify = (actor: Actor, options?: { latest: number }) =>
  inTenant(db, actor, (tx) => verifyAuditChain(tx, options))
const seal = () => sealEverything(systemDb, owner)

/** A tenant with three seals of two entries each. */
async function sealedTenant() {
  const actor = newTenant()
  for (let seals = 0; seals < 3; seals++) {
    const pair = [2 * seals, 2 * seals + 1].map((n) => ({
      id: newId(),
      label: `Ada ${n}`,
      before: { n: 1 },
      after: { n: 2 },
    }))
    await inTenant(db, actor, (tx) => recordEach(tx, 'lead.updated', pair))
    await seal()
  }
  return actor
}

const anEntry = (n: number) =>
  `(select id from platform.audit_log where tenant_id = $1 and resource_label = 'Ada ${n}')`
const aSeal = (n: number) =>
  `(select id from platform.audit_seals where tenant_id = $1 order by id offset ${n} limit 1)`
const tamperings: [what: string, statement: string, kind: string][] = [
  ['an action', `update platform.audit_log set action = 'lead.created' where id = ${anEntry(3)}`, 'entries'],
  ['the actor', `update platform.audit_log set user_id = $1 where id = ${anEntry(3)}`, 'entries'],
  ['the address', `update platform.audit_log set ip = '192.0.2.1' where id = ${anEntry(3)}`, 'entries'],
  [
    'the time',
    `update platform.audit_log set created_at = created_at - interval '1 hour' where id = ${anEntry(3)}`,
    'entries',
  ],
  [
    'a value',
    `update platform.audit_log set changes = '[{"field":"n","before":1,"after":3}]' where id = ${anEntry(3)}`,
    'values',
  ],
  ['a label', `update platform.audit_log set resource_label = 'Bob' where id = ${anEntry(3)}`, 'values'],
  [
    'values and digest',
    `update platform.audit_log set changes = null, resource_label = null, digest = sha256(salt || '{"changes":null,"resource_label":null}'::bytea) where id = ${anEntry(3)}`,
    'entries',
  ],
  ['an entry away', `delete from platform.audit_log where id = ${anEntry(3)}`, 'entries'],
  [
    'all entries of a seal away',
    `delete from platform.audit_log where id in (${anEntry(2)}, ${anEntry(3)})`,
    'entries',
  ],
  [
    'an entry into another transaction',
    `update platform.audit_log set xact = (select to_xact from platform.audit_seals where id = ${aSeal(1)}) where id = ${anEntry(3)}`,
    'entries',
  ],
  ['an entry into another epoch', `update platform.audit_log set epoch = 0 where id = ${anEntry(0)}`, 'entries'],
  ['a seal away', `delete from platform.audit_seals where id = ${aSeal(1)}`, 'link'],
  ['the first seal away', `delete from platform.audit_seals where id = ${aSeal(0)}`, 'unsealed'],
  ['a hash', `update platform.audit_seals set hash = sha256('x') where id = ${aSeal(1)}`, 'entries'],
  ['a link', `update platform.audit_seals set prev_hash = sha256('x') where id = ${aSeal(1)}`, 'link'],
  ['a range', `update platform.audit_seals set to_xact = '9000000000' where id = ${aSeal(0)}`, 'entries'],
]

for (const [what, statement, kind] of tamperings)
  test(`whoever forges ${what} in the database is found out`, async () => {
    const actor = await sealedTenant()
    assert.deepEqual(await verify(actor), { seals: 3, entries: 6, mismatch: null })

    const { rowCount } = await owner.query(statement, [actor.tenantId])

    assert.ok(rowCount)
    assert.equal((await verify(actor)).mismatch?.kind, kind)
  })

test('an entry that is smuggled in behind the seals is found out', async () => {
  const actor = await sealedTenant()

  await owner.query(
    `insert into platform.audit_log select (jsonb_populate_record(audit_log, jsonb_build_object('id', gen_random_uuid()))).*
     from platform.audit_log where id = ${anEntry(3)} and tenant_id = $1`,
    [actor.tenantId],
  )

  assert.equal((await verify(actor)).mismatch?.kind, 'entries')
})

test('the first mismatch names its seal and, where it is known, its entry', async () => {
  const actor = await sealedTenant()
  const { rows } = await owner.query(`select ${anEntry(3)} as entry, ${aSeal(1)} as seal`, [actor.tenantId])

  await owner.query(`update platform.audit_log set resource_label = 'Bob' where id = ${anEntry(3)}`, [actor.tenantId])

  assert.deepEqual(await verify(actor), {
    seals: 1,
    entries: 2,
    mismatch: { kind: 'values', sealId: rows[0].seal, entryId: rows[0].entry },
  })
})

test('a sample looks at the latest seals only', async () => {
  const actor = await sealedTenant()
  await owner.query(`update platform.audit_log set action = 'lead.created' where id = ${anEntry(1)}`, [actor.tenantId])

  const sample = await verify(actor, { latest: 2 })
  const everything = await verify(actor, { latest: 3 })

  assert.deepEqual(sample, { seals: 2, entries: 4, mismatch: null })
  assert.equal(everything.mismatch?.kind, 'entries')
})

test('a long chain is verified to its end', async () => {
  const actor = newTenant()
  for (let n = 0; n < 510; n++) await note(actor)
  const { rows } = await owner.query('select xact from platform.audit_log where tenant_id = $1 order by xact', [
    actor.tenantId,
  ])
  for (const { xact } of rows.slice(1))
    await inSystem(systemDb, (tx) => sealAuditLog(tx, actor.tenantId, { epoch: 1, until: xact }))

  const report = await verify(actor)
  await owner.query(`update platform.audit_log set reason = 'x' where tenant_id = $1 and xact = $2`, [
    actor.tenantId,
    rows[508].xact,
  ])
  const forged = await verify(actor)

  assert.deepEqual(report, { seals: 509, entries: 509, mismatch: null })
  assert.deepEqual([forged.seals, forged.mismatch?.kind], [508, 'entries'])
})
