import { sql } from 'kysely'
import { type TenantTx, tenantIdOf } from './tenant-tx.ts'

/** Acquires a tenant-scoped advisory lock until the transaction ends; `isShared` takes it in shared mode. */
export async function acquireAdvisoryLock(tx: TenantTx, name: string, { isShared = false } = {}): Promise<void> {
  const lock = isShared ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`select ${lock}(hashtextextended(${`${tenantIdOf(tx)}:${name}`}, 0))`.execute(tx)
}

/** Acquires several locks of one kind in ascending order of their names, in one statement. */
export async function acquireAdvisoryLocks(
  tx: TenantTx,
  names: Iterable<string>,
  { isShared = false } = {},
): Promise<void> {
  const ordered = [...new Set(names)].sort().map((name) => `${tenantIdOf(tx)}:${name}`)
  if (!ordered.length) return
  const lock = isShared ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`
    select ${lock}(hashtextextended(name, 0))
    from unnest(${ordered}::text[]) with ordinality as lock (name, position) order by position
  `.execute(tx)
}
