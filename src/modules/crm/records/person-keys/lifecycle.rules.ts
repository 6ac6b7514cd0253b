/** In ascending order. `former_customer` exists for contacts only. */
export const lifecycleStages = ['subscriber', 'lead', 'mql', 'sql', 'opportunity', 'customer', 'evangelist'] as const
export type LifecycleStage = (typeof lifecycleStages)[number]
export type ContactStage = LifecycleStage | 'former_customer'

export const stageRank = (stage: string): number =>
  stage === 'former_customer' ? lifecycleStages.indexOf('customer') : lifecycleStages.indexOf(stage as LifecycleStage)

export const isBackward = (from: string, to: string): boolean => stageRank(to) < stageRank(from)

const timestampColumns = {
  mql: 'mql_at',
  sql: 'sql_at',
  opportunity: 'opportunity_at',
  customer: 'customer_at',
} as const
type TimestampColumn = (typeof timestampColumns)[keyof typeof timestampColumns]
export type StageTimestamps = Partial<Record<TimestampColumn, Date>>

export function skippedStages(from: string | null, to: string): LifecycleStage[] {
  const start = from === null ? lifecycleStages.indexOf('lead') : stageRank(from)
  return lifecycleStages.slice(start + 1, stageRank(to))
}

/** Returns the timestamp columns that this change sets. Existing timestamps are kept. */
export function deriveStageTimestamps(
  record: Readonly<Record<TimestampColumn, Date | null>> & { lifecycle_stage: string | null },
  to: string,
  now: Date,
): StageTimestamps {
  const reached = [...skippedStages(record.lifecycle_stage, to), to]
  const columns = reached.flatMap((stage) =>
    stage in timestampColumns ? [timestampColumns[stage as keyof typeof timestampColumns]] : [],
  )
  return Object.fromEntries(columns.filter((column) => record[column] === null).map((column) => [column, now]))
}

/** Adds the reason of a user to the audited values, which can be erased; the `reason` of an audit entry is sealed. */
export const withStageReason = <Row extends object>(record: Row, reason: string | null | undefined) =>
  reason ? { ...record, stage_reason: reason } : record
