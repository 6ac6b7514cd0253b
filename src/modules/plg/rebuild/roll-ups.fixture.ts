import type { UsageWorkspace } from '../plg.fixture.ts'

const rollUps = ['event_days', 'actor_days', 'active_days', 'actor_periods', 'first_days', 'actor_event_days']
/** All numbers of the current generation, without the generation and with the shards added up. */
export async function readRollUps(acme: UsageWorkspace): Promise<unknown[]> {
  const results: unknown[] = []
  for (const table of rollUps) {
    const { rows } = await acme.sql(
      `select to_jsonb(t) - 'generation' - 'tenant_id' as row from plg.${table} t
       join plg.states s on s.tenant_id = t.tenant_id and s.generation = t.generation where t.tenant_id = $1`,
      [acme.id],
    )
    const sums = new Map<string, number>()
    for (const { row } of rows) {
      const { shard: _, events = 0, actors = 0, ...key } = row as Record<string, number>
      const name = JSON.stringify(key)
      sums.set(name, (sums.get(name) ?? 0) + events + actors)
    }
    results.push([table, [...sums].sort(([a], [b]) => (a < b ? -1 : 1))])
  }
  return results
}
