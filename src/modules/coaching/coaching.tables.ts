import { businessData, type Tables } from '#platform/module'

/** Sessions have a copy of their scenario, so deleted ones are kept only for the undo of a mistake. */
const deletedDays = 30

const isPrivate = { is_private: true }

export const coachingTables: Tables = {
  // Deleted personas are kept: a workspace without any row would get the presets again.
  'enablement.coaching_personas': { ...businessData, audit_label: 'name' },
  'enablement.coaching_scenarios': {
    ...businessData,
    ownable: 'owner_id',
    audit_label: 'title',
    purge_after: { column: 'deleted_at', days: deletedDays },
  },
  'enablement.coaching_sessions': {
    ...businessData,
    seal_rows: { when: isPrivate },
    personal: ['agenda', 'scorecard', 'coach_scores', 'feedback', 'rep_reflection', 'action_items'],
  },
  'enablement.roleplay_messages': {
    ...businessData,
    seal_rows: { when: isPrivate, parent: { table: 'enablement.coaching_sessions', key: 'session_id' } },
    personal: ['text'],
    purge_after: {
      column: 'created_at',
      days: { setting: 'enablement.transcript_retention_days' },
      by: 'own_schedule',
    },
  },
}
