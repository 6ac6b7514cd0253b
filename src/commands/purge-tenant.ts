import type { Command } from 'commander'
import { systemClock } from '#platform/clock'
import { inSystem } from '#platform/db'
import { openBlobStore } from '#platform/storage'
import { purgeTenant } from '../modules/identity/tenants/operator.ts'
import { answer, type Desk, noted, operatorName, withSystemDb } from './operate.ts'
import { commandOf } from './options.ts'

type Purge = { now?: true; confirm?: string; json?: true }

export function addTenantPurge(tenant: Command, desk: Desk): void {
  commandOf(tenant, 'purge', 'Remove every row and file of a workspace whose grace is over; can be repeated')
    .argument('<slug>')
    .option('--now', 'without waiting for the end of the grace')
    .option('--confirm <slug>', 'the slug once more, with --now')
    .action(async (slug: string, { now: isNow, confirm, json }: Purge) => {
      const order = { command: 'tenant purge', args: { slug, ...(isNow && { now: true }) }, isJson: json }
      await withSystemDb(desk, async (systemDb, config) => {
        const purged = await noted(systemDb, order, async () => {
          const tools = {
            inSystem: <T>(work: Parameters<typeof inSystem<T>>[1]) => inSystem(systemDb, work),
            storage: await openBlobStore(config),
            now: systemClock.now(),
          }
          return await purgeTenant(tools, slug, { isNow, confirm, operator: operatorName() })
        })
        const text = `The workspace ${slug} is gone, with ${purged.rows} rows and all its files. Its slug stays blocked for 90 days.`
        answer(desk, order, { json: purged, text })
      })
    })
}
