import type { Command } from 'commander'
import { systemClock } from '#platform/clock'
import { inSystem } from '#platform/db'
import { unparkJobs } from '#platform/jobs'
import { openBlobStore } from '#platform/storage'
import {
  deleteTenant,
  purgeTenant,
  renameTenant,
  restoreTenant,
  resumeTenant,
  suspendTenant,
} from '../modules/identity/users/operator/operator.ts'
import {
  auditFailure,
  type CliIo,
  type JsonOption,
  operatorName,
  printResult,
  runOperatorCommand,
  withJobs,
  withSystemDb,
} from './operator-command.ts'
import { addCommand, parseTextUpTo, parseWholeNumber } from './options.ts'
import { toTenantSummary } from './tenant-maintenance.ts'

export function addTenantLifecycleCommands(tenant: Command, io: CliIo): void {
  addSuspendCommand(tenant, io)
  addResumeCommand(tenant, io)
  addRenameCommand(tenant, io)
  addDeleteCommand(tenant, io)
  addRestoreCommand(tenant, io)
  addPurgeCommand(tenant, io)
}

function addSuspendCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'suspend', 'Suspend a workspace; no data is deleted')
    .argument('<slug>')
    .requiredOption('--reason <text>', 'reason for the suspension', parseTextUpTo(500))
    .action(async (slug: string, { reason, json }: JsonOption & { reason: string }) => {
      const command = { command: 'tenant suspend', args: { slug, reason }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { config }) => {
        const tenant = await suspendTenant(tx, slug, reason)
        return {
          tenantId: tenant.id,
          json: { tenant: toTenantSummary(tenant, config) },
          text: `Suspended workspace ${slug}. Its jobs are paused.`,
        }
      })
    })
}

function addResumeCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'resume', 'Reactivate a suspended workspace; its jobs resume within ten minutes')
    .argument('<slug>')
    .action(async (slug: string, { json }: JsonOption) => {
      let tenantId = ''
      const command = { command: 'tenant resume', args: { slug }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { config }) => {
        const tenant = await resumeTenant(tx, slug)
        tenantId = tenant.id
        return {
          tenantId,
          json: { tenant: toTenantSummary(tenant, config) },
          text: `Reactivated workspace ${slug}. Its jobs resume within ten minutes.`,
        }
      })
      // If this fails, the jobs only start later: parked jobs are rescheduled periodically.
      await withJobs(io, (jobQueue) => unparkJobs(jobQueue, tenantId))
    })
}

function addRenameCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'rename', 'Change the subdomain of a workspace; all users must sign in again')
    .argument('<slug>')
    .requiredOption('--to <slug>', 'new subdomain')
    .action(async (slug: string, { to, json }: JsonOption & { to: string }) => {
      const command = { command: 'tenant rename', args: { slug, to }, isJson: json }
      await runOperatorCommand(io, command, async (tx, context) => {
        const { tenant, sessionsEnded } = await renameTenant(tx, slug, to, context)
        const summary = toTenantSummary(tenant, context.config)
        return {
          tenantId: tenant.id,
          json: { tenant: summary, sessions_ended: sessionsEnded },
          text: `Moved the workspace to ${summary.url} and revoked ${sessionsEnded} sessions. The slug ${slug} is blocked for 90 days.`,
        }
      })
    })
}

type DeleteOptions = JsonOption & { confirm?: string; graceDays: number }

function addDeleteCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'delete', 'Schedule a workspace for deletion; it can be restored during the grace period')
    .argument('<slug>')
    .option('--confirm <slug>', 'repeat the slug to confirm')
    .option('--grace-days <days>', 'length of the grace period', parseWholeNumber(0, 365), 30)
    .action(async (slug: string, { confirm, graceDays, json }: DeleteOptions) => {
      const command = { command: 'tenant delete', args: { slug, grace_days: graceDays }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { config, now }) => {
        const { tenant, sessionsEnded, keysRevoked } = await deleteTenant(tx, slug, { confirm, graceDays, now })
        return {
          tenantId: tenant.id,
          json: {
            tenant: toTenantSummary(tenant, config),
            sessions_ended: sessionsEnded,
            api_keys_revoked: keysRevoked,
          },
          text:
            `Scheduled workspace ${slug} for deletion: ${sessionsEnded} sessions and ${keysRevoked} API keys revoked. ` +
            `It can be restored until ${tenant.delete_after?.toISOString()} and is purged afterwards. No export was created.`,
        }
      })
    })
}

function addRestoreCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'restore', 'Restore a workspace that is scheduled for deletion; it stays suspended')
    .argument('<slug>')
    .action(async (slug: string, { json }: JsonOption) => {
      const command = { command: 'tenant restore', args: { slug }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { config, now }) => {
        const tenant = await restoreTenant(tx, slug, now)
        return {
          tenantId: tenant.id,
          json: { tenant: toTenantSummary(tenant, config) },
          text: `Restored workspace ${slug}. It is suspended; reactivate it with: tenant resume ${slug}`,
        }
      })
    })
}

type PurgeOptions = JsonOption & { now?: true; confirm?: string }

function addPurgeCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'purge', 'Delete all rows and files of a workspace whose grace period has ended; can be repeated')
    .argument('<slug>')
    .option('--now', 'do not wait for the end of the grace period')
    .option('--confirm <slug>', 'repeat the slug to confirm; required with --now')
    .action(async (slug: string, { now: isNow, confirm, json }: PurgeOptions) => {
      const command = { command: 'tenant purge', args: { slug, ...(isNow && { now: true }) }, isJson: json }
      await withSystemDb(io, async (systemDb, config) => {
        const purged = await auditFailure(systemDb, command, async () => {
          const services = {
            inSystem: <T>(work: Parameters<typeof inSystem<T>>[1]) => inSystem(systemDb, work),
            storage: await openBlobStore(config),
            now: systemClock.now(),
          }
          return await purgeTenant(services, slug, { isNow, confirm, operator: operatorName() })
        })
        const text = `Purged workspace ${slug}: ${purged.rows} rows and all files deleted. The slug is blocked for 90 days.`
        printResult(io, command, { json: purged, text })
      })
    })
}
