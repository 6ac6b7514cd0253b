import { daysLater, systemClock } from '#platform/clock'

/** Numbers are raw JSON, so that a converted row has every value exactly as PostgreSQL wrote it. */
export type ArchivedRow = Record<string, unknown>

/**
 * A change of the schema since an archive was written, which an import applies to its rows. Changes of columns apply to archives whose
 * tables have the old columns, so no version is compared.
 */
export type ArchiveChange =
  /** Calculates the value of a column that the archive does not have. Columns without an entry get their default. */
  | { table: string; addedColumn: string; value(row: ArchivedRow): unknown }
  | { table: string; renamedColumn: string; to: string }
  /** Repeats a migration that changed values of a column, in archives of a schema before it. */
  | { table: string; changedColumn: string; migration: string; value(row: ArchivedRow): unknown }
  /** Leaves out values that are no longer stored. */
  | { table: string; removedColumn: string }
  | { removedTable: string }

export const archiveChanges: readonly ArchiveChange[] = [
  {
    table: 'crm.custom_fields',
    addedColumn: 'unique_state',
    value: ({ is_unique }) => (is_unique ? 'ready' : 'none'),
  },
  {
    table: 'enablement.learning_modules',
    changedColumn: 'min_seconds',
    migration: '0365_enablement_video_seconds',
    value: ({ kind, min_seconds }) => (kind === 'video' && JSON.stringify(min_seconds) === '0' ? null : min_seconds),
  },
  // The retention keeps events for at least 90 days, so days since then can be counted again.
  {
    table: 'plg.states',
    addedColumn: 'purged_until',
    value: () => daysLater(systemClock.now(), -90).toISOString(),
  },
  // The next run of the effects stores the leads in `plg.qualification_leads`.
  {
    table: 'plg.qualifications',
    changedColumn: 'effects_due',
    migration: '0451_plg_qualification_leads',
    value: ({ effects_due, lost_at }) => lost_at === null || effects_due,
  },
  { removedTable: 'enablement.readiness_scores' },
  // Tables that archives no longer have.
  { removedTable: 'surveys.unreleased_responses' },
  { removedTable: 'surveys.used_tokens' },
]
