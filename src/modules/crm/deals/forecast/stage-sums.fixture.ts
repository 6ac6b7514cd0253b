import assert from 'node:assert/strict'
import type { TenantTx } from '#platform/db'
import { type ClosedPeriod, toClosedPeriod } from './forecast.rules.ts'
import { sumStages } from './stage-sums.queries.ts'

type Workspace = { id: string; sql: (text: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }> }
type Work = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

const periods = ['Pacific/Kiritimati', 'America/New_York', 'UTC'].map((timezone) =>
  toClosedPeriod('2031-01-01', timezone),
)
const startOf = ({ sign, from, to }: ClosedPeriod) => (sign === 1 ? from : to)
const toTexts = (rows: object[]) => rows.map((row) => Object.values(row).join(' ')).sort()

/** Compares the sums by stage with those of the deals themselves, for all pipelines, some owners and several time zones. */
export async function assertStageSums(
  { id, sql }: Workspace,
  inWorkspace: Work,
  ownerIds: (string | undefined)[],
): Promise<void> {
  const { rows: pipelines } = await sql('select id from crm.pipelines where tenant_id = $1', [id])
  for (const { id: pipelineId } of pipelines as { id: string }[])
    for (const ownerId of ownerIds)
      for (const closed of periods) {
        const sums = await inWorkspace((tx) =>
          sumStages(tx, { pipelineId, ownerIds: ownerId ? [ownerId] : undefined, closed }),
        )
        const { rows } = await sql(
          `select stage_key, count(*) as deals, coalesce(sum(amount_base_minor), 0) as minor,
             coalesce(sum(amount_base_minor * probability_basis), 0) as weighted
           from crm.opportunities where tenant_id = $1 and pipeline_id = $2 and deleted_at is null
             and ($3::uuid is null or owner_id = $3) and (kind = 'open' or closed_at >= $4) group by 1`,
          [id, pipelineId, ownerId ?? null, startOf(closed)],
        )
        assert.deepEqual(toTexts(sums.filter(({ deals }) => deals !== 0)), toTexts(rows))
        for (const { deals, minor, weighted } of sums) if (deals === 0) assert.deepEqual([minor, weighted], ['0', '0'])
      }
}
