import { listTenantIds, readSettings } from '#modules/identity'
import { hasAuditEntriesSince } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { defineTenantSchedule, type JobHandler } from '#platform/jobs'
import { hasSealedChangesSince, type Services, type Tables } from '#platform/module'
import { defineTaskHandler } from '#platform/tasks'
import { findOpenBackup, listBackups } from './backups.queries.ts'
import { createBackup, expireOldBackups, failLostBackups } from './backups.service.ts'
import { deleteArchives } from './delete-archives.ts'
import { createBackupTask } from './open-backup.ts'
import { runBackup } from './run-backup.flow.ts'

export const createBackupHandler = (services: Services): JobHandler =>
  defineTaskHandler(createBackupTask, (context, { backup_id }) => {
    let rows = 0
    return runBackup(services, context, backup_id, (count) => {
      rows += count
      context.reportProgress(rows)
    })
  })

const [hour, minute] = [1, 23]

export function nextBackupAt(now: Date): Date {
  const next = new Date(now)
  next.setUTCHours(hour, minute, 0, 0)
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1)
  return next
}

type ScheduleServices = Pick<Services, 'clock' | 'storage' | 'log' | 'registry'>

/** Backs up every workspace that has changed since its last backup, and deletes archives that are too old. */
export const backUpTenantsSchedule = ({ clock, storage, log, registry }: ScheduleServices) =>
  defineTenantSchedule('operations.back_up_tenants', `${minute} ${hour} * * *`, {
    listTenants: listTenantIds,
    async runForTenant({ tenantId, inTenant }) {
      const expired = await inTenant(async (tx) => {
        await failLostBackups(tx, clock.now())
        if (await isBackupDue(tx, registry.tables)) await createScheduledBackup(tx, clock.now())
        return await expireOldBackups(tx, clock.now())
      })
      await deleteArchives({ storage, log }, tenantId, expired)
    },
  })

async function createScheduledBackup(tx: TenantTx, now: Date): Promise<void> {
  const { backup_files } = await readSettings(tx, 'retention')
  await createBackup(tx, { kind: 'scheduled', include_files: backup_files, now })
}

async function isBackupDue(tx: TenantTx, tables: Tables): Promise<boolean> {
  if (await findOpenBackup(tx)) return false
  const latest = (await listBackups(tx, 60)).find(({ state }) => state === 'succeeded')
  if (!latest || (await hasAuditEntriesSince(tx, latest.created_at))) return true
  return await hasSealedChangesSince(tx, tables, latest.created_at)
}
