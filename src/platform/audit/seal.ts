import { sql } from 'kysely'
import { systemIn } from '#platform/access'
import { enterTenant, inSystem, type SystemDb, type SystemTx, type TenantTx, tenantOf } from '#platform/db'
import { newId } from '#platform/ids'
import { addToChain, chainAfter, findLastSeal, noHash, type Range, readEntries } from './chain.ts'

/** Worth keeping outside the database: whoever rewrites a chain to its end cannot rewrite what was written down elsewhere. */
export type NewSeal = { tenantId: string; sealId: string; count: number; hash: string }

const entriesPerSeal = 10_000
const endOfTime = '18446744073709551615'

/** Seals what all tenants did since the last time, up to the oldest transaction that is still open. Runs every minute. */
export async function sealAudit({ systemDb }: { systemDb: SystemDb }): Promise<NewSeal[]> {
  const { epoch, sealed_before, horizon, is_restored } = await inSystem(systemDb, readSealing)
  const range = { epoch, from_xact: sealed_before, to_xact: is_restored ? endOfTime : horizon }
  const { seals, isComplete } = await sealRange(systemDb, range)
  if (!isComplete) return seals

  await inSystem(systemDb, (tx) => (is_restored ? beginEpoch(tx, epoch + 1) : markSealed(tx, range)))
  return is_restored ? [...seals, ...(await sealAudit({ systemDb }))] : seals
}

type Sealing = { epoch: number; sealed_before: string; horizon: string; is_restored: boolean }

/** A snapshot older than what was sealed before: the database was restored into a server that counts from the start. */
async function readSealing(tx: SystemTx): Promise<Sealing> {
  const { rows } = await sql<Sealing>`
    select epoch, sealed_before, horizon, horizon < sealed_before or exists (
      select from platform.audit_log where audit_log.epoch > audit_sealing.epoch) as is_restored
    from platform.audit_sealing, pg_snapshot_xmin(pg_current_snapshot()) as horizon
  `.execute(tx)
  return rows[0]!
}

/** Tenant by tenant, so that trouble with one does not keep the others waiting. */
async function sealRange(systemDb: SystemDb, range: Range): Promise<{ seals: NewSeal[]; isComplete: boolean }> {
  const seals: NewSeal[] = []
  const failures: unknown[] = []
  let isComplete = true
  for (const tenantId of await inSystem(systemDb, (tx) => listTenantsToSeal(tx, range))) {
    try {
      const made = await sealTenant(systemDb, tenantId, range)
      seals.push(...made.seals)
      isComplete &&= made.isComplete
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length) throw new AggregateError(failures, `The audit log of ${failures.length} tenants was not sealed.`)
  return { seals, isComplete }
}

async function listTenantsToSeal(tx: SystemTx, { epoch, from_xact, to_xact }: Range): Promise<string[]> {
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

async function sealTenant(systemDb: SystemDb, tenantId: string, { epoch, to_xact }: Range) {
  const seals: NewSeal[] = []
  for (;;) {
    const seal = await inSystem(systemDb, (tx) => sealAuditLog(tx, tenantId, { epoch, until: to_xact }))
    if (!seal || seal === 'busy') return { seals, isComplete: !seal }
    seals.push(seal)
  }
}

/** One seal of a tenant, if it has anything to seal; `busy` while another process is at it. */
export async function sealAuditLog(
  systemTx: SystemTx,
  tenantId: string,
  { epoch, until }: { epoch: number; until: string },
) {
  const tx = await enterTenant(systemTx, systemIn(tenantId))
  if (!(await isOnlySealer(tx))) return 'busy'

  const last = await findLastSeal(tx)
  const from_xact = last?.epoch === epoch ? last.to_xact : '0'
  const range = { epoch, from_xact, to_xact: await endOfSeal(tx, { epoch, from_xact, to_xact: until }) }
  const prev_hash = last?.hash ?? noHash
  const chain = chainAfter(prev_hash)
  let count = 0
  for await (const entry of readEntries(tx, range)) {
    addToChain(chain, entry)
    count++
  }
  if (!count) return undefined

  const seal = { id: newId(), ...range, count, prev_hash, hash: chain.digest() }
  await tx.insertInto('platform.audit_seals').values(seal).execute()
  return { tenantId, sealId: seal.id, count, hash: seal.hash.toString('hex') }
}

async function isOnlySealer(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${tenantOf(tx)}:audit_seal`}, 0)) as is_locked
  `.execute(tx)
  return rows[0]!.is_locked
}

/** A seal holds whole transactions, as many as make up its size. */
async function endOfSeal(tx: TenantTx, { epoch, from_xact, to_xact }: Range): Promise<string> {
  const entries = sql`platform.audit_log where tenant_id = ${tenantOf(tx)} and epoch = ${epoch} and xact < ${to_xact}`
  const { rows } = await sql<{ end: string }>`
    select coalesce((
      select xact from ${entries} and xact > (
        select xact from ${entries} and xact >= ${from_xact} order by xact, id offset ${entriesPerSeal - 1} limit 1
      ) order by xact limit 1
    ), ${to_xact}::xid8) as end
  `.execute(tx)
  return rows[0]!.end
}

async function markSealed(tx: SystemTx, { epoch, to_xact }: Range): Promise<void> {
  await tx
    .updateTable('platform.audit_sealing')
    .set({ sealed_before: to_xact })
    .where('epoch', '=', epoch)
    .where('sealed_before', '<', to_xact)
    .execute()
}

async function beginEpoch(tx: SystemTx, epoch: number): Promise<void> {
  await tx
    .updateTable('platform.audit_sealing')
    .set({ epoch, sealed_before: '0' })
    .where('epoch', '=', epoch - 1)
    .execute()
}

/** Of a row of `platform.audit_log`, in a select. */
export const isSealed = sql<boolean>`coalesce((audit_log.epoch, audit_log.xact) < (
  select epoch, to_xact from platform.audit_seals order by epoch desc, from_xact desc limit 1), false)`
