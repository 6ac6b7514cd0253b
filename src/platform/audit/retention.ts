import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import {
  acquireAdvisoryLock,
  assumeRetentionRole,
  enterTenant,
  type SystemTx,
  type TenantTx,
  tenantIdOf,
} from '#platform/db'
import { findLastSeal, type Seal, sealColumns } from './chain.ts'

const maxSealsPerBatch = 500

/** Deletes whole seals, oldest first, so that the rest of the chain stays verifiable. Call it until `hasMore` is false. */
export async function deleteAuditEntriesBefore(systemTx: SystemTx, actor: Actor, instant: Date, batchSize: number) {
  const tx = await enterTenant(systemTx, actor)
  await lockRetention(tx, 'exclusive')
  await assumeRetentionRole(tx)

  const expired = await listSealsBefore(tx, instant)
  const seals = takeBatch(expired, batchSize)
  const entries = seals.length ? await deleteSeals(tx, seals) : 0
  await sql`set local role none`.execute(tx)
  return { entries, hasMore: seals.length < expired.length }
}

/** Verification takes the lock in shared mode, so that no entries are deleted while it runs. */
export const lockRetention = (tx: TenantTx, mode: 'shared' | 'exclusive'): Promise<void> =>
  acquireAdvisoryLock(tx, 'audit_retention', { isShared: mode === 'shared' })

function listSealsBefore(tx: TenantTx, instant: Date): Promise<Seal[]> {
  return tx
    .selectFrom('platform.audit_seals')
    .select(sealColumns)
    .where('created_at', '<', instant)
    .orderBy('epoch')
    .orderBy('from_xact')
    .limit(maxSealsPerBatch + 1)
    .execute()
}

function takeBatch(expired: Seal[], batchSize: number): Seal[] {
  let entries = 0
  return expired.slice(0, maxSealsPerBatch).filter(({ count }) => {
    const isIncluded = entries < batchSize
    entries += count
    return isIncluded
  })
}

async function deleteSeals(tx: TenantTx, seals: Seal[]): Promise<number> {
  const { epoch, to_xact } = seals.at(-1)!
  const { numAffectedRows = 0n } = await sql`
    delete from platform.audit_log
    where tenant_id = ${tenantIdOf(tx)} and (epoch, xact) < (${epoch}::integer, ${to_xact}::xid8)
  `.execute(tx)

  // Keep the last seal, because the next one continues it.
  const last = await findLastSeal(tx)
  const ids = seals.map(({ id }) => id).filter((id) => id !== last?.id)
  if (ids.length)
    await tx.deleteFrom('platform.audit_seals').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  return Number(numAffectedRows)
}
