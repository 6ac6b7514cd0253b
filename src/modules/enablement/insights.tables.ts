import { businessData, type Tables } from '#platform/module'

/** 25 months, so that the same day of two years can be compared. */
const snapshotDays = 761

/** Insights and scores are calculated again after an import. */
const calculated = { export: 'skip', clean: 'business' } as const

export const insightTables: Tables = {
  'enablement.insight_influences': calculated,
  'enablement.insight_snapshots': calculated,
  'enablement.insight_states': calculated,
  'enablement.insight_marks': calculated,
  'enablement.readiness_scores': calculated,
  'enablement.readiness_snapshots': { ...businessData, purge_after: { column: 'day', days: snapshotDays } },
  'enablement.readiness_marks': calculated,
}
