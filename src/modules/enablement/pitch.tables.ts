import { businessData, type Tables } from '#platform/module'

/** Submissions have a copy of their prompt. */
const deletedDays = 30

export const pitchTables: Tables = {
  'enablement.pitch_prompts': {
    ...businessData,
    ownable: 'owner_id',
    audit_label: 'title',
    purge_after: { column: 'deleted_at', days: deletedDays },
  },
  'enablement.pitch_assignments': businessData,
  // Deleted takes have no content, but their number counts against `max_takes`, so they are kept.
  'enablement.pitch_submissions': {
    ...businessData,
    personal: ['title', 'transcript', 'segments', 'evaluation'],
  },
  'enablement.pitch_reviews': { ...businessData, personal: ['scores', 'comment'] },
  'enablement.pitch_comments': { ...businessData, personal: ['body'] },
}
