import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemActor } from '#platform/access'
import { enterTenant, inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { generateKeyEntry } from '#platform/secrets'
import { startTestDb } from '#testing'
import { createSealSigner, recordAudit, type SealSigner, verifyAuditChain } from './index.ts'
import { sealAllEntries, signer } from './seal-all-entries.fixture.ts'

const { db, systemDb, owner } = await startTestDb()

const createSigner = (keys: string) => createSealSigner({ NODE_ENV: 'test', AUDIT_SEAL_KEYS: keys })
const verify = async (actor: Actor, by?: SealSigner) =>
  (await inTenant(db, actor, (tx) => verifyAuditChain(tx, { signer: by }))).mismatch?.kind ?? 'valid'

async function createSealedTenant(seals = 2) {
  const actor = systemActor(newId())
  for (let n = 0; n < seals; n++) {
    await inTenant(db, actor, (tx) => recordAudit(tx, 'lead.updated', { id: newId() }))
    await sealAllEntries(systemDb, owner)
  }
  return actor
}

/** Changes entries and removes their seals, so that the next run of the sealer seals them again. */
async function rewriteEntries({ tenantId }: Actor) {
  await owner.query(`update platform.audit_log set reason = 'forged' where tenant_id = $1`, [tenantId])
  await owner.query('delete from platform.audit_seals where tenant_id = $1', [tenantId])
  await owner.query(`update platform.audit_sealing set sealed_before = '0'`)
}

test('a chain that was rebuilt without the key is detected', async () => {
  const [actor, untouched] = [await createSealedTenant(), await createSealedTenant()]
  const forger = createSigner(generateKeyEntry('development'))

  await rewriteEntries(actor)
  await sealAllEntries(systemDb, owner, forger)

  assert.deepEqual([await verify(actor), await verify(actor, signer)], ['valid', 'signature'])
  assert.equal(await verify(untouched, signer), 'valid')
})

test('a signature is bound to its workspace', async () => {
  const [actor, other] = [await createSealedTenant(1), await createSealedTenant(1)]
  await owner.query(
    `update platform.audit_seals as seal set signature = other.signature, hash = other.hash
     from platform.audit_seals as other where seal.tenant_id = $1 and other.tenant_id = $2`,
    [actor.tenantId, other.tenantId],
  )

  assert.equal(await verify(actor, signer), 'signature')
})

test('after a key rotation old and new seals can be verified while the old key is kept', async () => {
  const [first, second] = [generateKeyEntry('k1'), generateKeyEntry('k2')]
  const actor = await createSealedTenant(1)
  const rotated = createSigner(`${second},${first}`)
  await rewriteEntries(actor)
  await sealAllEntries(systemDb, owner, createSigner(first))
  await inTenant(db, actor, (tx) => recordAudit(tx, 'lead.updated', { id: newId() }))
  await sealAllEntries(systemDb, owner, rotated)

  const { rows } = await owner.query('select key_id from platform.audit_seals where tenant_id = $1 order by id', [
    actor.tenantId,
  ])
  assert.deepEqual(
    rows.map(({ key_id }) => key_id),
    ['k1', 'k2'],
  )
  assert.deepEqual([await verify(actor, rotated), await verify(actor, createSigner(second))], ['valid', 'signature'])
})

test('production requires a key', () => {
  assert.throws(() => createSealSigner({ NODE_ENV: 'production', AUDIT_SEAL_KEYS: '' }), /AUDIT_SEAL_KEYS is missing/)
})

test('the system role cannot insert a seal without a signature', async () => {
  const actor = await createSealedTenant(1)
  const unsigned = inSystem(systemDb, async (systemTx) => {
    const tx = await enterTenant(systemTx, actor)
    const hash = Buffer.alloc(32)
    await tx
      .insertInto('platform.audit_seals')
      .values({ id: newId(), epoch: 9, from_xact: '0', to_xact: '1', count: 1, prev_hash: hash, hash })
      .execute()
  })

  await assert.rejects(unsigned, { constraint: 'audit_seals_are_signed' })
})

test('seals from before signatures were introduced stay valid, but none may follow a signed one', async () => {
  await owner.query('alter table platform.audit_seals drop constraint audit_seals_are_signed')
  const [upgraded, downgraded] = [await createSealedTenant(), await createSealedTenant()]
  const removeSignature = (actor: Actor, position: number) =>
    owner.query(
      `update platform.audit_seals set key_id = null, signature = null where id =
         (select id from platform.audit_seals where tenant_id = $1 order by id offset $2 limit 1)`,
      [actor.tenantId, position],
    )

  await removeSignature(upgraded, 0)
  await removeSignature(downgraded, 1)

  assert.deepEqual([await verify(upgraded, signer), await verify(downgraded, signer)], ['valid', 'signature'])
})
