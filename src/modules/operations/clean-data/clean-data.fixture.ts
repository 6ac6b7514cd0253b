import type { startTestApp } from '#testing'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type Acme = Awaited<ReturnType<TestApp['tenant']>>

export const url = '/api/admin/clean-all-data'
export const inputFor = ({ slug }: Acme, changes = {}) => ({
  confirm: slug,
  reason: 'End of the trial phase',
  ...changes,
})
export const clean = (acme: Acme, changes = {}) => acme.admin.post(url, inputFor(acme, changes))
export const pick = (counts: Record<string, number>, names: string[]) => names.map((name) => [name, counts[name]])

export const createRowCounter = ({ owner, services: { registry } }: Pick<TestApp, 'owner' | 'services'>) => ({
  async countRows({ id }: Acme): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const table of Object.keys(registry.tables))
      counts[table] = (
        await owner.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [id])
      ).rows[0].n
    return counts
  },
  tablesOf: (kind: string) =>
    Object.entries(registry.tables)
      .filter(([, rules]) => rules.clean === kind)
      .map(([name]) => name),
  readMaintenance: async ({ id }: Acme): Promise<string | null> =>
    (await owner.query('select maintenance from identity.tenants where id = $1', [id])).rows[0].maintenance,
})
