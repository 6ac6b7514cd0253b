import type { Command } from 'commander'
import { releaseParkedJobs } from '#platform/jobs'
import { resumeTenant } from '../modules/identity/tenants/operator.ts'
import { type Desk, operate, withJobs } from './operate.ts'
import { commandOf } from './options.ts'
import { described } from './tenant-texts.ts'

export function addTenantResume(tenant: Command, desk: Desk): void {
  commandOf(tenant, 'resume', 'Open a suspended workspace again; its jobs go on within ten minutes')
    .argument('<slug>')
    .action(async (slug: string, { json }: { json?: true }) => {
      let resumed = ''
      await operate(desk, { command: 'tenant resume', args: { slug }, isJson: json }, async (tx, { config }) => {
        const tenant = await resumeTenant(tx, slug)
        resumed = tenant.id
        return {
          tenantId: tenant.id,
          json: { tenant: described(tenant, config) },
          text: `The workspace ${slug} is open again. Its jobs go on within ten minutes.`,
        }
      })
      // Should this fail, the jobs are looked at again after their rest: they only start later.
      await withJobs(desk, () => releaseParkedJobs(resumed))
    })
}
