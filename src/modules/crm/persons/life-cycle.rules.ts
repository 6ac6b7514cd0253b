/** From a name on a list to somebody who recommends us. `former_customer` stands beside the ladder, for contacts only. */
export const ladder = ['subscriber', 'lead', 'mql', 'sql', 'opportunity', 'customer', 'evangelist'] as const
export type LadderStage = (typeof ladder)[number]
export type Stage = LadderStage | 'former_customer'

/** How far up the ladder a stage is. Whoever was a customer stands where customers do. */
export const stageRank = (stage: string): number =>
  stage === 'former_customer' ? ladder.indexOf('customer') : ladder.indexOf(stage as LadderStage)

export const isBackward = (from: string, to: string): boolean => stageRank(to) < stageRank(from)

/** Stages whose first time is kept, and the column it is kept in. */
const timed = { mql: 'mql_at', sql: 'sql_at', opportunity: 'opportunity_at', customer: 'customer_at' } as const
type TimeColumn = (typeof timed)[keyof typeof timed]
export type StageTimes = Partial<Record<TimeColumn, Date>>

/** The stages on the way from one to another: those in between are reached at the same instant. Backward there are none. */
export function stagesPassed(from: string | null, to: string): LadderStage[] {
  const start = from === null ? ladder.indexOf('lead') : stageRank(from)
  return ladder.slice(start + 1, stageRank(to))
}

/** When each stage was first reached, for the columns this step fills. Times that are known stay as they are. */
export function stageTimes(
  record: Readonly<Record<TimeColumn, Date | null>> & { lifecycle_stage: string | null },
  to: string,
  now: Date,
): StageTimes {
  const reached = [...stagesPassed(record.lifecycle_stage, to), to]
  const columns = reached.flatMap((stage) => (stage in timed ? [timed[stage as keyof typeof timed]] : []))
  return Object.fromEntries(columns.filter((column) => record[column] === null).map((column) => [column, now]))
}
