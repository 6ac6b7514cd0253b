import type { Command } from 'commander'
import { unparkJobs } from '#platform/jobs'
import {
  endMaintenance,
  type PublicUrlConfig,
  startMaintenance,
  type TenantRow,
  workspaceUrl,
} from '../modules/identity/users/operator/operator.ts'
import { type CliIo, type JsonOption, runOperatorCommand, withJobs } from './operator-command.ts'
import { addCommand, parseTextUpTo } from './options.ts'

export const toTenantSummary = (tenant: TenantRow, config: PublicUrlConfig) => ({
  id: tenant.id,
  slug: tenant.slug,
  name: tenant.name,
  url: workspaceUrl(config, tenant.slug, '/'),
  status: tenant.status,
  status_reason: tenant.status_reason,
  maintenance: tenant.maintenance,
  delete_after: tenant.delete_after,
  region: tenant.region,
  limits: tenant.limits,
  created_at: tenant.created_at,
})

export const formatPasswordLink = (email: string, { link, expires_at }: { link: string; expires_at: Date }): string =>
  `Send this link to ${email} to set a password. It can be used once and expires at ${expires_at.toISOString()}:\n${link}`

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
