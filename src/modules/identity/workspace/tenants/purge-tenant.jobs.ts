import type { Clock } from '#platform/clock'
import { repeatUntilEmpty, type SystemTx } from '#platform/db'
import { unavailable } from '#platform/errors'
import { defineSchedule } from '#platform/jobs'
import type { BlobStore } from '#platform/storage'
import {
  clearForeignKeyBatch,
  deleteTableBatch,
  finishPurge,
  type PurgeOptions,
  type PurgePlan,
  planPurge,
  startPurge,
} from './purge-tenant.service.ts'
import { listTenantsDueForPurge, type TenantRow } from './tenants.queries.ts'

type PurgeContext = {
  inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  storage: Pick<BlobStore, 'deletePrefix'>
  now: Date
  signal?: AbortSignal
}

export type PurgeResult = { tenant_id: string; slug: string; rows: number }

const maxRounds = 5

/** Deletes all data of a workspace. Can be interrupted at any point and resumed by calling it again. */
export async function purgeTenant(context: PurgeContext, slug: string, options: PurgeOptions): Promise<PurgeResult> {
  const { inSystem, storage, now } = context
  const tenant = await inSystem((tx) => startPurge(tx, slug, options, now))
  const plan = await inSystem(planPurge)

  let rows = 0
  for (let round = 1; round <= maxRounds; round++) {
    rows += await deleteAllRows(context, tenant, plan)
    await storage.deletePrefix(`${tenant.id}/`)
    const summary = { tables: plan.tables, rows, options, now }
    if (await inSystem((tx) => finishPurge(tx, tenant, summary))) return { tenant_id: tenant.id, slug, rows }
  }
  throw unavailable(`The workspace ${slug} is still being written to. Run the purge again later.`)
}

/** A failed purge does not stop the others and is retried at the next run. */
export async function purgeDueTenants(context: PurgeContext, onFailure: (slug: string, err: unknown) => void) {
  const due = await context.inSystem((tx) => listTenantsDueForPurge(tx, context.now))
  const purged: PurgeResult[] = []
  for (const slug of due) {
    if (context.signal?.aborted) break
    try {
      purged.push(await purgeTenant(context, slug, { operator: 'schedule' }))
    } catch (err) {
      onFailure(slug, err)
    }
  }
  return purged
}

export const purgeTenantsSchedule = ({ storage, clock }: { storage: BlobStore; clock: Clock }) =>
  defineSchedule('identity.purge_tenants', '25 2 * * *', async ({ inSystem, signal, log }) => {
    const context = { inSystem, storage, signal, now: clock.now() }
    const purged = await purgeDueTenants(context, (_, err) => log.error({ err }, 'workspace purge failed'))
    if (purged.length) log.info({ purged: purged.length }, 'purged workspaces')
  })

async function deleteAllRows({ inSystem, signal }: PurgeContext, { id }: TenantRow, { tables, clear }: PurgePlan) {
  for (const foreignKey of clear)
    await repeatUntilEmpty(() => inSystem((tx) => clearForeignKeyBatch(tx, id, foreignKey)), signal)
  let deleted = 0
  for (const table of tables)
    deleted += await repeatUntilEmpty(() => inSystem((tx) => deleteTableBatch(tx, id, table)), signal)
  return deleted
}
