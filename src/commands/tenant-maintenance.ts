import type { Command } from 'commander'
import { unparkJobs } from '#platform/jobs'
import { endMaintenance, startMaintenance } from '../modules/identity/users/operator/operator.ts'
import { type CliIo, type JsonOption, runOperatorCommand, withJobs } from './operator-command.ts'
import { addCommand, parseTextUpTo } from './options.ts'
import { toTenantSummary } from './tenant-output.ts'

export function addMaintenanceCommands(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'start-maintenance', 'Reject writes and pause jobs of a workspace; reads and sign-in work')
    .argument('<slug>')
    .requiredOption('--reason <text>', 'reason for the maintenance', parseTextUpTo(500))
    .action(async (slug: string, { reason, json }: JsonOption & { reason: string }) => {
      const command = { command: 'tenant start-maintenance', args: { slug, reason }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { config }) => {
        const tenant = await startMaintenance(tx, slug, reason)
        return {
          tenantId: tenant.id,
          json: { tenant: toTenantSummary(tenant, config) },
          text: `The workspace ${slug} is in maintenance. End it with: tenant end-maintenance ${slug}`,
        }
      })
    })

  addCommand(tenant, 'end-maintenance', 'Accept writes again; jobs resume within ten minutes')
    .argument('<slug>')
    .action(async (slug: string, { json }: JsonOption) => {
      let tenantId = ''
      const command = { command: 'tenant end-maintenance', args: { slug }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { config }) => {
        const tenant = await endMaintenance(tx, slug)
        tenantId = tenant.id
        return {
          tenantId,
          json: { tenant: toTenantSummary(tenant, config) },
          text: `The workspace ${slug} is no longer in maintenance. Its jobs resume within ten minutes.`,
        }
      })
      await withJobs(io, (jobQueue) => unparkJobs(jobQueue, tenantId))
    })
}
