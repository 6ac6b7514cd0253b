import { type Command, Option } from 'commander'
import type { SystemTx } from '#platform/db'
import {
  createTenant,
  getTenantDetails,
  listTenants,
  setTenantLimits,
  type TenantRow,
} from '../modules/identity/users/operator/operator.ts'
import { type CliIo, type JsonOption, runOperatorCommand } from './operator-command.ts'
import { addCommand, collectOption, parseEmailAddress, parseTextUpTo } from './options.ts'
import { addImportCommand } from './tenant-import.ts'
import { addTenantLifecycleCommands } from './tenant-lifecycle.ts'
import { addMaintenanceCommands, formatPasswordLink, toTenantSummary } from './tenant-maintenance.ts'
import { addRestoreBackupCommand } from './tenant-restore-backup.ts'

export function addTenantCommands(program: Command, io: CliIo): void {
  const tenant = program.command('tenant').description('Manage workspaces')
  addCreateCommand(tenant, io)
  addListCommands(tenant, io)
  addTenantLifecycleCommands(tenant, io)
  addMaintenanceCommands(tenant, io)
  addLimitsCommand(tenant, io)
  addImportCommand(tenant, io)
  addRestoreBackupCommand(tenant, io)
}

type CreateOptions = JsonOption & {
  slug: string
  name: string
  adminEmail: string
  adminName?: string
  region?: string
  signup?: 'closed' | 'domain' | 'open'
}

function addCreateCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'create', 'Create a workspace and print a link for its first admin to set a password')
    .requiredOption('--slug <slug>', 'subdomain of the workspace')
    .requiredOption('--name <name>', 'display name', parseTextUpTo(120))
    .requiredOption('--admin-email <email>', 'email address of the first admin', parseEmailAddress)
    .option('--admin-name <name>', 'name of the first admin', parseTextUpTo(120))
    .option('--region <region>', 'region where the workspace is hosted', parseTextUpTo(60))
    .addOption(new Option('--signup <policy>', 'who can sign up').choices(['closed', 'domain', 'open']))
    .action(async ({ json, adminEmail, adminName, ...options }: CreateOptions) => {
      const command = { command: 'tenant create', args: options, isJson: json }
      await runOperatorCommand(io, command, async (tx, context) => {
        const input = { ...options, admin_email: adminEmail, admin_name: adminName }
        const { tenant, url, admin, invitation } = await createTenant(tx, input, context)
        return {
          tenantId: tenant.id,
          args: { admin_id: admin.id },
          json: {
            tenant: toTenantSummary(tenant, context.config),
            admin: { id: admin.id, email: admin.email },
            invitation,
          },
          text: `Created workspace ${tenant.slug} at ${url}\n${formatPasswordLink(admin.email, invitation)}`,
        }
      })
    })
}

function addListCommands(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'list', 'List workspaces by slug')
    .addOption(
      new Option('--status <status>', 'only workspaces with this status').choices(['active', 'suspended', 'deleting']),
    )
    .action(async ({ status, json }: JsonOption & { status?: string }) => {
      const command = { command: 'tenant list', args: { status }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { config }) => {
        const tenants = await listAllTenants(tx, status)
        return {
          tenantId: null,
          json: { items: tenants.map((row) => toTenantSummary(row, config)), total: tenants.length },
          text: [...tenants.map(formatTenantLine), `${tenants.length} workspaces`].join('\n'),
        }
      })
    })

  addCommand(tenant, 'show', 'Show a workspace')
    .argument('<slug>')
    .action(async (slug: string, { json }: JsonOption) => {
      const command = { command: 'tenant show', args: { slug }, isJson: json }
      await runOperatorCommand(io, command, async (tx, { config }) => {
        const { tenant, users } = await getTenantDetails(tx, slug)
        const details = { ...toTenantSummary(tenant, config), users }
        return { tenantId: tenant.id, json: { tenant: details }, text: JSON.stringify(details, null, 2) }
      })
    })
}

function addLimitsCommand(tenant: Command, io: CliIo): void {
  addCommand(tenant, 'limits', 'Show or set the operator limits monthly_event_limit and storage_quota_bytes')
    .argument('<slug>')
    .option('--set <name=value>', 'set a limit to a number or none; can be repeated', collectOption, [])
    .action(async (slug: string, { set, json }: JsonOption & { set: string[] }) => {
      await runOperatorCommand(io, { command: 'tenant limits', args: { slug, set }, isJson: json }, async (tx) => {
        const tenant = set.length ? await setTenantLimits(tx, slug, set) : (await getTenantDetails(tx, slug)).tenant
        return { tenantId: tenant.id, json: { limits: tenant.limits }, text: JSON.stringify(tenant.limits) }
      })
    })
}

const pageSize = 1_000

async function listAllTenants(tx: SystemTx, status: string | undefined): Promise<TenantRow[]> {
  const tenants: TenantRow[] = []
  for (;;) {
    const page = await listTenants(tx, { status, after: tenants.at(-1)?.slug, limit: pageSize })
    tenants.push(...page)
    if (page.length < pageSize) return tenants
  }
}

const formatTenantLine = ({ slug, status, name, created_at }: TenantRow): string =>
  [slug.padEnd(40), status.padEnd(9), created_at.toISOString().slice(0, 10), name].join('  ')
