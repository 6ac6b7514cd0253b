import { listTenantIds, readSection, readSettings } from '#modules/identity'
import { systemActor } from '#platform/access'
import { deleteAuditEntriesBefore } from '#platform/audit'
import { type Clock, daysLater } from '#platform/clock'
import {
  type Database,
  dropPartitions,
  enterTenant,
  repeatUntilEmpty,
  type SystemTx,
  type TenantTx,
} from '#platform/db'
import { defineTenantSchedule, type ScheduleContext } from '#platform/jobs'
import type { Registry, TableRules } from '#platform/module'
import { deleteExpiredRows } from './retention.queries.ts'

const batchSize = 10_000
const partitionedTables = ['identity.login_events', 'operations.webhook_deliveries', 'platform.audit_log']

type PurgeRule = { table: keyof Database } & NonNullable<TableRules['purge_after']>
type PurgeRules = Pick<Registry, 'tables' | 'settings'>
type PurgeContext = Pick<ScheduleContext, 'inSystem' | 'signal'> & { now: Date }

export const purgeOldRowsSchedule = ({ clock, registry }: { clock: Clock; registry: PurgeRules }) =>
  defineTenantSchedule('operations.purge_old_rows', '11 3 * * *', {
    listTenants: listTenantIds,
    async runForTenant({ inSystem, tenantId, signal, log }) {
      const purged = await purgeTenantRows({ inSystem, signal, now: clock.now() }, tenantId, registry)
      if (purged) log.info({ purged }, 'purged old rows')
    },
    async run(context) {
      for (const table of partitionedTables) await dropPartitions(context, table, clock.now())
    },
  })

export async function purgeTenantRows(
  context: PurgeContext,
  tenantId: string,
  { tables, settings }: PurgeRules,
): Promise<number> {
  let purged = 0
  for (const rule of purgeRulesOf(tables)) {
    const deleteBatch = async (system: SystemTx) => {
      const tx = await enterTenant(system, systemActor(tenantId))
      const before = daysLater(context.now, -(await readRetentionDays(tx, rule, settings)))
      const needsRetentionRole = rule.by === 'retention_role'
      return await deleteExpiredRows(tx, { ...rule, needsRetentionRole }, before, batchSize)
    }
    purged += await repeatUntilEmpty(() => context.inSystem(deleteBatch), context.signal)
  }
  return purged + (await purgeAuditLog(context, tenantId))
}

const purgeRulesOf = (tables: Registry['tables']): PurgeRule[] =>
  Object.entries(tables).flatMap(([table, { purge_after: rule }]) =>
    rule && rule.by !== 'own_schedule' ? [{ table: table as keyof Database, ...rule }] : [],
  )

async function readRetentionDays(
  tx: TenantTx,
  { days }: Pick<PurgeRule, 'days'>,
  settings: Registry['settings'],
): Promise<number> {
  if (typeof days === 'number') return days
  const [name, field] = days.setting.split('.')
  const section = settings.find((candidate) => candidate.name === name)
  const value = section && ((await readSection(tx, section)) as Record<string, unknown>)[field!]
  if (typeof value !== 'number') throw new Error(`The setting ${days.setting} is not a number of days.`)
  return value
}

/** Deletes whole seals only, so that the remaining entries can still be verified. */
async function purgeAuditLog({ inSystem, signal, now }: PurgeContext, tenantId: string): Promise<number> {
  const actor = systemActor(tenantId)
  const { audit_log_days: days } = await inSystem(async (system) =>
    readSettings(await enterTenant(system, actor), 'retention'),
  )
  for (let purged = 0; ; ) {
    signal.throwIfAborted()
    const batch = await inSystem((system) => deleteAuditEntriesBefore(system, actor, daysLater(now, -days), batchSize))
    purged += batch.entries
    if (!batch.hasMore) return purged
  }
}
