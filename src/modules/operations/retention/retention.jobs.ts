import { listTenantIds, readSettings } from '#modules/identity'
import { systemIn } from '#platform/access'
import { deleteAuditBefore } from '#platform/audit'
import { type Clock, daysLater } from '#platform/clock'
import { type Database, dropPartitions, enterTenant, type TenantTx, untilNone } from '#platform/db'
import { defineSchedule, type ScheduleContext } from '#platform/jobs'
import type { TableRules, Tables } from '#platform/module'
import { deleteSomeExpired } from './retention.queries.ts'

const rowsAtATime = 10_000
const partitioned = ['identity.login_events', 'platform.audit_log']

type Rule = { table: keyof Database } & NonNullable<TableRules['purge_after']>
type Tools = Pick<ScheduleContext, 'inSystem' | 'signal'> & { now: Date }

/** Every night, workspace by workspace: what the tables say has had its time. */
export const purgingOldRows = ({ clock, tables }: { clock: Clock; tables: Tables }) =>
  defineSchedule('operations.purge_old_rows', '11 3 * * *', async ({ inSystem, signal, log }) => {
    const tools = { inSystem, signal, now: clock.now() }
    let purged = 0
    for (const tenantId of await inSystem(listTenantIds)) purged += await purgeOldRowsOf(tools, tenantId, tables)
    for (const table of partitioned) await inSystem((tx) => dropPartitions(tx, table, tools.now))
    if (purged) log.info({ purged }, 'old rows were purged')
  })

export async function purgeOldRowsOf(tools: Tools, tenantId: string, tables: Tables): Promise<number> {
  let purged = 0
  for (const rule of expiringIn(tables)) {
    purged += await untilNone(tools, async (system) => {
      const tx = await enterTenant(system, systemIn(tenantId))
      const before = daysLater(tools.now, -(await daysOf(tx, rule)))
      const needsRetentionRole = rule.by === 'retention_role'
      return await deleteSomeExpired(tx, { ...rule, needsRetentionRole }, before, rowsAtATime)
    })
  }
  return purged + (await purgeAuditOf(tools, tenantId))
}

const expiringIn = (tables: Tables): Rule[] =>
  Object.entries(tables).flatMap(([table, { purge_after: rule }]) =>
    rule && rule.by !== 'own_schedule' ? [{ table: table as keyof Database, ...rule }] : [],
  )

async function daysOf(tx: TenantTx, { days }: Pick<Rule, 'days'>): Promise<number> {
  if (typeof days === 'number') return days
  const retention: Record<string, unknown> = await readSettings(tx, 'retention')
  return Number(retention[days.setting.replace('retention.', '')])
}

/** The audit trail goes by whole seals, so that what is left can still be verified. */
async function purgeAuditOf({ inSystem, signal, now }: Tools, tenantId: string): Promise<number> {
  const actor = systemIn(tenantId)
  const days = await inSystem(async (system) =>
    daysOf(await enterTenant(system, actor), { days: { setting: 'retention.audit_log_days' } }),
  )
  for (let purged = 0; ; ) {
    signal.throwIfAborted()
    const step = await inSystem((system) => deleteAuditBefore(system, actor, daysLater(now, -days), rowsAtATime))
    purged += step.entries
    if (!step.hasMore) return purged
  }
}
