import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { actAsRetention, enterTenant, type SystemTx, type TenantTx, tenantOf } from '#platform/db'
import { findLastSeal, type Seal, sealColumns } from './chain.ts'

const sealsPerStep = 500

/**
 * Removes entries that were sealed before an instant, oldest first, and never a part of a seal: what is left can be verified
 * from its first seal on. About `batch` entries at a time; call it until there is no more.
 */
export async function deleteAuditBefore(systemTx: SystemTx, actor: Actor, instant: Date, batch: number) {
  const tx = await enterTenant(systemTx, actor)
  await lockRetention(tx, 'exclusive')
  await actAsRetention(tx)

  const expired = await listSealsBefore(tx, instant)
  const seals = firstSeals(expired, batch)
  const entries = seals.length ? await deleteSeals(tx, seals) : 0
  await sql`set local role none`.execute(tx)
  return { entries, hasMore: seals.length < expired.length }
}

/** Whoever computes the chain keeps retention waiting, lest entries disappear on the way. */
export async function lockRetention(tx: TenantTx, mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = mode === 'shared' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`select ${lock}(hashtextextended(${`${tenantOf(tx)}:audit_retention`}, 0))`.execute(tx)
}

function listSealsBefore(tx: TenantTx, instant: Date): Promise<Seal[]> {
  return tx
    .selectFrom('platform.audit_seals')
    .select(sealColumns)
    .where('created_at', '<', instant)
    .orderBy('epoch')
    .orderBy('from_xact')
    .limit(sealsPerStep + 1)
    .execute()
}

function firstSeals(expired: Seal[], batch: number): Seal[] {
  let entries = 0
  return expired.slice(0, sealsPerStep).filter(({ count }) => {
    const isWanted = entries < batch
    entries += count
    return isWanted
  })
}

async function deleteSeals(tx: TenantTx, seals: Seal[]): Promise<number> {
  const { epoch, to_xact } = seals.at(-1)!
  const { numAffectedRows = 0n } = await sql`
    delete from platform.audit_log
    where tenant_id = ${tenantOf(tx)} and (epoch, xact) < (${epoch}::integer, ${to_xact}::xid8)
  `.execute(tx)

  // The next seal continues the last one, however old that is.
  const last = await findLastSeal(tx)
  const ids = seals.map(({ id }) => id).filter((id) => id !== last?.id)
  if (ids.length) await tx.deleteFrom('platform.audit_seals').where('id', 'in', ids).execute()
  return Number(numAffectedRows)
}
