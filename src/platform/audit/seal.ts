import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { enterTenant, inSystem, type SystemDb, type SystemTx, type TenantTx, tenantIdOf } from '#platform/db'
import { newId } from '#platform/ids'
import { addToChainHash, findLastSeal, genesisHash, type SealRange, startChainHash, streamEntries } from './chain.ts'
import type { SealSigner } from './seal-signer.ts'

/** Should also be stored outside the database, where an attacker who rewrites the chain cannot change it. */
export type NewSeal = { tenantId: string; sealId: string; count: number; hash: string }

const entriesPerSeal = 10_000
const maxXact = '18446744073709551615'

type Sealer = { systemDb: SystemDb; signer: SealSigner }

export async function sealAuditLogs(sealer: Sealer): Promise<NewSeal[]> {
  const { systemDb } = sealer
  const { epoch, sealed_before, horizon, is_restored } = await inSystem(systemDb, readSealingState)
  const range = { epoch, from_xact: sealed_before, to_xact: is_restored ? maxXact : horizon }
  const { seals, isComplete } = await sealRange(sealer, range)
  if (!isComplete) return seals

  await inSystem(systemDb, (tx) => (is_restored ? startEpoch(tx, epoch + 1) : markSealed(tx, range)))
  return is_restored ? [...seals, ...(await sealAuditLogs(sealer))] : seals
}

type SealingState = { epoch: number; sealed_before: string; horizon: string; is_restored: boolean }

/** Detects a restore into a server with lower transaction ids: its snapshot is older than the sealed entries. */
async function readSealingState(tx: SystemTx): Promise<SealingState> {
  const { rows } = await sql<SealingState>`
    select epoch, sealed_before, horizon, horizon < sealed_before or exists (
      select from platform.audit_log where audit_log.epoch > audit_sealing.epoch) as is_restored
    from platform.audit_sealing, pg_snapshot_xmin(pg_current_snapshot()) as horizon
  `.execute(tx)
  return rows[0]!
}

/** Seals tenant by tenant, so that an error in one does not affect the others. */
async function sealRange(sealer: Sealer, range: SealRange): Promise<{ seals: NewSeal[]; isComplete: boolean }> {
  const seals: NewSeal[] = []
  const failures: unknown[] = []
  let isComplete = true
  for (const tenantId of await inSystem(sealer.systemDb, (tx) => listTenantsToSeal(tx, range))) {
    try {
      const sealed = await sealTenant(sealer, tenantId, range)
      seals.push(...sealed.seals)
      isComplete &&= sealed.isComplete
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length)
    throw new AggregateError(failures, `Sealing the audit log failed for ${failures.length} tenants.`)
  return { seals, isComplete }
}

async function listTenantsToSeal(tx: SystemTx, { epoch, from_xact, to_xact }: SealRange): Promise<string[]> {
  const tenants = await tx
    .selectFrom('platform.audit_log')
    .select('tenant_id')
    .distinct()
    .where('epoch', '=', epoch)
    .where('xact', '>=', from_xact)
    .where('xact', '<', to_xact)
    .execute()
  return tenants.map(({ tenant_id }) => tenant_id)
}

async function sealTenant({ systemDb, signer }: Sealer, tenantId: string, { epoch, to_xact }: SealRange) {
  const seals: NewSeal[] = []
  const options = { epoch, until: to_xact, signer }
  for (;;) {
    const seal = await inSystem(systemDb, (tx) => sealTenantAuditLog(tx, tenantId, options))
    if (!seal || seal === 'busy') return { seals, isComplete: !seal }
    seals.push(seal)
  }
}

/** Creates one seal, or none without new entries; returns `busy` while another process seals the tenant. */
export async function sealTenantAuditLog(
  systemTx: SystemTx,
  tenantId: string,
  { epoch, until, signer }: { epoch: number; until: string; signer: SealSigner },
) {
  const tx = await enterTenant(systemTx, systemActor(tenantId))
  if (!(await tryLockSealing(tx))) return 'busy'

  const last = await findLastSeal(tx)
  const from_xact = last?.epoch === epoch ? last.to_xact : '0'
  const range = { epoch, from_xact, to_xact: await findSealEnd(tx, { epoch, from_xact, to_xact: until }) }
  const prev_hash = last?.hash ?? genesisHash
  const chain = startChainHash(prev_hash)
  let count = 0
  for await (const entry of streamEntries(tx, range)) {
    addToChainHash(chain, entry)
    count++
  }
  if (!count) return undefined

  const seal = { id: newId(), ...range, count, prev_hash, hash: chain.digest() }
  await tx
    .insertInto('platform.audit_seals')
    .values({ ...seal, ...signer.sign(tenantId, seal) })
    .execute()
  return { tenantId, sealId: seal.id, count, hash: seal.hash.toString('hex') }
}

async function tryLockSealing(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${tenantIdOf(tx)}:audit_seal`}, 0)) as is_locked
  `.execute(tx)
  return rows[0]!.is_locked
}

/** Returns the end of the seal after about `entriesPerSeal` entries, without splitting a transaction. */
async function findSealEnd(tx: TenantTx, { epoch, from_xact, to_xact }: SealRange): Promise<string> {
  const entries = sql`platform.audit_log where tenant_id = ${tenantIdOf(tx)} and epoch = ${epoch} and xact < ${to_xact}`
  const { rows } = await sql<{ end: string }>`
    select coalesce((
      select xact from ${entries} and xact > (
        select xact from ${entries} and xact >= ${from_xact} order by xact, id offset ${entriesPerSeal - 1} limit 1
      ) order by xact limit 1
    ), ${to_xact}::xid8) as end
  `.execute(tx)
  return rows[0]!.end
}

async function markSealed(tx: SystemTx, { epoch, to_xact }: SealRange): Promise<void> {
  await tx
    .updateTable('platform.audit_sealing')
    .set({ sealed_before: to_xact })
    .where('epoch', '=', epoch)
    .where('sealed_before', '<', to_xact)
    .execute()
}

async function startEpoch(tx: SystemTx, epoch: number): Promise<void> {
  await tx
    .updateTable('platform.audit_sealing')
    .set({ epoch, sealed_before: '0' })
    .where('epoch', '=', epoch - 1)
    .execute()
}

export const isSealed = sql<boolean>`coalesce((audit_log.epoch, audit_log.xact) < (
  select epoch, to_xact from platform.audit_seals order by epoch desc, from_xact desc limit 1), false)`
