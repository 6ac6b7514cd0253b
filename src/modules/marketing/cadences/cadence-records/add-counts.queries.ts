import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { StepMeasure } from './enrollment-states.rules.ts'

/** `step_id` is the id of the cadence for counts of the whole cadence. */
export type CountChange = { cadence_id: string; step_id: string; measure: string; by: number }

type CountRow = Omit<CountChange, 'by'> & { value: number }

/** Adds to the counts in the order of their keys. The last lock of a transaction. */
export async function addCounts(tx: TenantTx, changes: readonly CountChange[]): Promise<void> {
  const counts = sumCounts(changes)
  if (!counts.length) return
  const { columns, rows } = selectRows(counts, {
    cadence_id: 'uuid',
    step_id: 'uuid',
    measure: 'text',
    value: 'integer',
  })
  await tx
    .insertInto('marketing.cadence_counts')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'cadence_id', 'step_id', 'measure'])
        .doUpdateSet({ value: sql`cadence_counts.value + excluded.value` }),
    )
    .execute()
}

function sumCounts(changes: readonly CountChange[]): CountRow[] {
  const sums = new Map<string, CountRow>()
  for (const { by, ...key } of changes) {
    const id = `${key.cadence_id} ${key.step_id} ${key.measure}`
    sums.set(id, { ...key, value: (sums.get(id)?.value ?? 0) + by })
  }
  const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([, row]) => row).filter(({ value }) => value !== 0)
}

/** The same changes for a step and for its whole cadence. */
export const countStep = (
  { cadence_id, step_id }: { cadence_id: string; step_id: string },
  measure: StepMeasure,
  by = 1,
): CountChange[] => [
  { cadence_id, step_id, measure, by },
  { cadence_id, step_id: cadence_id, measure, by },
]
