import { businessData, type Tables } from '#platform/module'

/** 25 months, so that the same day of two years can be compared. */
const snapshotDays = 761

export const insightTables: Tables = {
  'enablement.insight_influences': businessData,
  'enablement.insight_snapshots': businessData,
  'enablement.insight_states': businessData,
  'enablement.insight_marks': businessData,
  'enablement.readiness_scores': businessData,
  'enablement.readiness_snapshots': { ...businessData, purge_after: { column: 'day', days: snapshotDays } },
  'enablement.readiness_marks': businessData,
}
