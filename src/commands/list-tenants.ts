import { type Command, Option } from 'commander'
import type { SystemTx } from '#platform/db'
import { describeTenant, listTenants, type TenantRow } from '../modules/identity/tenants/operator.ts'
import { type Desk, operate } from './operate.ts'
import { commandOf } from './options.ts'
import { described } from './tenant-texts.ts'

const pageSize = 1_000

export function addTenantListing(tenant: Command, desk: Desk): void {
  commandOf(tenant, 'list', 'List workspaces by slug')
    .addOption(new Option('--status <status>').choices(['active', 'suspended', 'deleting']))
    .action(async ({ status, json }: { status?: string; json?: true }) => {
      await operate(desk, { command: 'tenant list', args: { status }, isJson: json }, async (tx, { config }) => {
        const tenants = await listAll(tx, status)
        return {
          tenantId: null,
          json: { items: tenants.map((one) => described(one, config)), total: tenants.length },
          text: [...tenants.map(lineOf), `${tenants.length} workspaces`].join('\n'),
        }
      })
    })

  commandOf(tenant, 'show', 'Show one workspace')
    .argument('<slug>')
    .action(async (slug: string, { json }: { json?: true }) => {
      await operate(desk, { command: 'tenant show', args: { slug }, isJson: json }, async (tx, { config }) => {
        const { tenant, users } = await describeTenant(tx, slug)
        const shown = { ...described(tenant, config), users }
        return { tenantId: tenant.id, json: { tenant: shown }, text: JSON.stringify(shown, null, 2) }
      })
    })
}

async function listAll(tx: SystemTx, status: string | undefined): Promise<TenantRow[]> {
  const all: TenantRow[] = []
  for (;;) {
    const page = await listTenants(tx, { status, after: all.at(-1)?.slug, limit: pageSize })
    all.push(...page)
    if (page.length < pageSize) return all
  }
}

const lineOf = ({ slug, status, name, created_at }: TenantRow): string =>
  [slug.padEnd(40), status.padEnd(9), created_at.toISOString().slice(0, 10), name].join('  ')
