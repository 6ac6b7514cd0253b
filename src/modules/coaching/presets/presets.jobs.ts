import { listTenantIds } from '#modules/identity'
import { retryOnContention, type SystemTx } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import { listTenantsWithPersonas } from './presets.queries.ts'
import { createPresets } from './presets.service.ts'

/** For workspaces that are older than the presets. */
export const createPresetsSchedule = defineTenantSchedule('enablement.create_coaching_presets', '53 2 * * *', {
  listTenants: listTenantsWithoutPersonas,
  runForTenant: ({ inTenant, signal }) => retryOnContention(() => inTenant(createPresets), signal),
})

async function listTenantsWithoutPersonas(system: SystemTx): Promise<string[]> {
  const tenantIds = await listTenantIds(system)
  const withPersonas = new Set(await listTenantsWithPersonas(system))
  return tenantIds.filter((id) => !withPersonas.has(id))
}
