import { type Command, Option } from 'commander'
import {
  createTenant,
  deleteTenant,
  describeTenant,
  renameTenant,
  restoreTenant,
  setTenantLimits,
  suspendTenant,
} from '../modules/identity/tenants/operator.ts'
import { addTenantListing } from './list-tenants.ts'
import { type Desk, operate } from './operate.ts'
import { commandOf, emailAddress, oneMore, textUpTo, wholeNumber } from './options.ts'
import { addTenantPurge } from './purge-tenant.ts'
import { addTenantResume } from './resume-tenant.ts'
import { described, linkText } from './tenant-texts.ts'

type Json = { json?: true }

export function addTenantCommands(program: Command, desk: Desk): void {
  const tenant = program.command('tenant').description('Workspaces')
  addTenantCreation(tenant, desk)
  addTenantListing(tenant, desk)
  addTenantSuspension(tenant, desk)
  addTenantResume(tenant, desk)
  addTenantMove(tenant, desk)
  addTenantDeletion(tenant, desk)
  addTenantPurge(tenant, desk)
  addTenantLimits(tenant, desk)
}

type Creation = Json & {
  slug: string
  name: string
  adminEmail: string
  adminName?: string
  region?: string
  signup?: 'closed' | 'domain' | 'open'
}

function addTenantCreation(tenant: Command, desk: Desk): void {
  commandOf(tenant, 'create', 'Open a workspace and print a link with which its first admin sets a password')
    .requiredOption('--slug <slug>', 'its subdomain')
    .requiredOption('--name <name>', 'what people call it', textUpTo(120))
    .requiredOption('--admin-email <email>', 'address of the first admin', emailAddress)
    .option('--admin-name <name>', 'name of the first admin', textUpTo(120))
    .option('--region <region>', 'where it is run', textUpTo(60))
    .addOption(new Option('--signup <policy>', 'who may sign up').choices(['closed', 'domain', 'open']))
    .action(async ({ json, adminEmail, adminName, ...given }: Creation) => {
      const order = { command: 'tenant create', args: given, isJson: json }
      await operate(desk, order, async (tx, circumstances) => {
        const input = { ...given, admin_email: adminEmail, admin_name: adminName }
        const { tenant, url, admin, invitation } = await createTenant(tx, input, circumstances)
        return {
          tenantId: tenant.id,
          args: { admin_id: admin.id },
          json: {
            tenant: described(tenant, circumstances.config),
            admin: { id: admin.id, email: admin.email },
            invitation,
          },
          text: `The workspace ${tenant.slug} is open at ${url}\n${linkText(admin.email, invitation)}`,
        }
      })
    })
}

function addTenantSuspension(tenant: Command, desk: Desk): void {
  commandOf(tenant, 'suspend', 'Close a workspace for the time being; nothing of it is lost')
    .argument('<slug>')
    .requiredOption('--reason <text>', 'why', textUpTo(500))
    .action(async (slug: string, { reason, json }: Json & { reason: string }) => {
      await operate(
        desk,
        { command: 'tenant suspend', args: { slug, reason }, isJson: json },
        async (tx, { config }) => {
          const tenant = await suspendTenant(tx, slug, reason)
          return {
            tenantId: tenant.id,
            json: { tenant: described(tenant, config) },
            text: `The workspace ${slug} is suspended. Its jobs wait.`,
          }
        },
      )
    })
}

function addTenantMove(tenant: Command, desk: Desk): void {
  commandOf(tenant, 'rename', 'Move a workspace to another subdomain; everyone has to sign in again')
    .argument('<slug>')
    .requiredOption('--to <slug>', 'its new subdomain')
    .action(async (slug: string, { to, json }: Json & { to: string }) => {
      await operate(desk, { command: 'tenant rename', args: { slug, to }, isJson: json }, async (tx, circumstances) => {
        const { tenant, sessionsEnded } = await renameTenant(tx, slug, to, circumstances)
        const shown = described(tenant, circumstances.config)
        return {
          tenantId: tenant.id,
          json: { tenant: shown, sessions_ended: sessionsEnded },
          text: `The workspace is now at ${shown.url} and ${sessionsEnded} sessions were ended. ${slug} stays blocked for 90 days.`,
        }
      })
    })
}

type Deletion = Json & { confirm?: string; graceDays: number }

function addTenantDeletion(tenant: Command, desk: Desk): void {
  commandOf(tenant, 'delete', 'Close a workspace for good; until the grace is over it can be restored')
    .argument('<slug>')
    .option('--confirm <slug>', 'the slug once more')
    .option('--grace-days <days>', 'how long it can be restored', wholeNumber(0, 365), 30)
    .action(async (slug: string, { confirm, graceDays, json }: Deletion) => {
      const order = { command: 'tenant delete', args: { slug, grace_days: graceDays }, isJson: json }
      await operate(desk, order, async (tx, { config, now }) => {
        const { tenant, sessionsEnded, keysRevoked } = await deleteTenant(tx, slug, { confirm, graceDays, now })
        return {
          tenantId: tenant.id,
          json: { tenant: described(tenant, config), sessions_ended: sessionsEnded, api_keys_revoked: keysRevoked },
          text:
            `The workspace ${slug} is closed: ${sessionsEnded} sessions ended, ${keysRevoked} API keys revoked. ` +
            `Until ${tenant.delete_after?.toISOString()} it can be restored, after that it is purged. No export was made.`,
        }
      })
    })

  commandOf(tenant, 'restore', 'Bring back a workspace that is being deleted; it stays suspended')
    .argument('<slug>')
    .action(async (slug: string, { json }: Json) => {
      await operate(desk, { command: 'tenant restore', args: { slug }, isJson: json }, async (tx, { config, now }) => {
        const tenant = await restoreTenant(tx, slug, now)
        return {
          tenantId: tenant.id,
          json: { tenant: described(tenant, config) },
          text: `The workspace ${slug} is back and suspended. Open it with: tenant resume ${slug}`,
        }
      })
    })
}

function addTenantLimits(tenant: Command, desk: Desk): void {
  commandOf(tenant, 'limits', 'Set what only the operator may: monthly_event_limit, storage_quota_bytes')
    .argument('<slug>')
    .option('--set <name=value>', 'a number, or none; can be repeated', oneMore, [])
    .action(async (slug: string, { set, json }: Json & { set: string[] }) => {
      await operate(desk, { command: 'tenant limits', args: { slug, set }, isJson: json }, async (tx) => {
        const tenant = set.length ? await setTenantLimits(tx, slug, set) : (await describeTenant(tx, slug)).tenant
        return { tenantId: tenant.id, json: { limits: tenant.limits }, text: JSON.stringify(tenant.limits) }
      })
    })
}
