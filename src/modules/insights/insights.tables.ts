import { businessData, type Tables } from '#platform/module'

/** 25 months, so that the same day of two years can be compared. */
const snapshotDays = 761

const derivedData = { ...businessData, derived: true } as const

export const insightTables: Tables = {
  'enablement.insight_influences': derivedData,
  'enablement.insight_snapshots': derivedData,
  'enablement.insight_states': derivedData,
  'enablement.insight_marks': derivedData,
  // Scores are valid for a day and calculated when they are missing.
  'enablement.readiness_scores': { ...derivedData, export: 'skip' },
  'enablement.readiness_snapshots': { ...derivedData, purge_after: { column: 'day', days: snapshotDays } },
  'enablement.readiness_marks': derivedData,
}
