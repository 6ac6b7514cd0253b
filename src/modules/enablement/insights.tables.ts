import { businessData, type Tables } from '#platform/module'

/** 25 months, so that the same day of two years can be compared. */
const snapshotDays = 761

const derivedData = { ...businessData, derived: true } as const

export const insightTables: Tables = {
  'enablement.insight_influences': derivedData,
  'enablement.insight_snapshots': derivedData,
  'enablement.insight_states': derivedData,
  'enablement.insight_marks': derivedData,
  // Inserts of both tables lock rows, and those of cadences come first in the lock order.
  'enablement.readiness_scores': { ...derivedData, import_after: ['marketing.cadence_counts'] },
  'enablement.readiness_snapshots': { ...derivedData, purge_after: { column: 'day', days: snapshotDays } },
  'enablement.readiness_marks': derivedData,
}
