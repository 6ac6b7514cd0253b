import type { Clock } from '#platform/clock'
import { type SystemTx, untilNone } from '#platform/db'
import { unavailable } from '#platform/errors'
import { defineSchedule } from '#platform/jobs'
import type { BlobStore } from '#platform/storage'
import {
  beginPurge,
  clearReferencesFurther,
  emptyTableFurther,
  finishPurge,
  type PurgeOrder,
  type PurgePlan,
  planPurge,
} from './purge-tenant.service.ts'
import { listDueForPurge, type TenantRow } from './tenants.queries.ts'

type Tools = {
  inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  storage: Pick<BlobStore, 'deletePrefix'>
  now: Date
  signal?: AbortSignal
}

export type Purged = { tenant_id: string; slug: string; rows: number }

const maxRounds = 5

/** Removes everything a workspace ever had. It can be interrupted at any point and goes on when it is called again. */
export async function purgeTenant(tools: Tools, slug: string, order: PurgeOrder): Promise<Purged> {
  const { inSystem, storage, now } = tools
  const tenant = await inSystem((tx) => beginPurge(tx, slug, order, now))
  const plan = await inSystem(planPurge)

  let rows = 0
  for (let round = 1; round <= maxRounds; round++) {
    rows += await emptyTables(tools, tenant, plan)
    await storage.deletePrefix(`${tenant.id}/`)
    const ending = { tables: plan.tables, rows, order, now }
    if (await inSystem((tx) => finishPurge(tx, tenant, ending))) return { tenant_id: tenant.id, slug, rows }
  }
  throw unavailable(`Something keeps writing to the workspace ${slug}. Purge it again later.`)
}

/** What could not be purged is tried again next time, and does not keep the others from it. */
export async function purgeDueTenants(tools: Tools, onFailure: (slug: string, err: unknown) => void) {
  const due = await tools.inSystem((tx) => listDueForPurge(tx, tools.now))
  const purged: Purged[] = []
  for (const slug of due) {
    if (tools.signal?.aborted) break
    try {
      purged.push(await purgeTenant(tools, slug, { operator: 'schedule' }))
    } catch (err) {
      onFailure(slug, err)
    }
  }
  return purged
}

export const purgingDueTenants = ({ storage, clock }: { storage: BlobStore; clock: Clock }) =>
  defineSchedule('identity.purge_tenants', '25 2 * * *', async ({ inSystem, signal, log }) => {
    const tools = { inSystem, storage, signal, now: clock.now() }
    const purged = await purgeDueTenants(tools, (_, err) => log.error({ err }, 'a workspace could not be purged'))
    if (purged.length) log.info({ purged: purged.length }, 'workspaces were purged')
  })

async function emptyTables(tools: Tools, { id }: TenantRow, { tables, clear }: PurgePlan) {
  for (const reference of clear) await untilNone(tools, (tx) => clearReferencesFurther(tx, id, reference))
  let deleted = 0
  for (const table of tables) deleted += await untilNone(tools, (tx) => emptyTableFurther(tx, id, table))
  return deleted
}
