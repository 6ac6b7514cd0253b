import { businessData, type Tables } from '#platform/module'

/** Submissions have a copy of their prompt. */
const deletedDays = 30

const isPrivate = { is_practice: true, review_requested: false }
const ofPrivatePitch = {
  when: isPrivate,
  parent: { table: 'enablement.pitch_submissions', key: 'submission_id' },
} as const

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
    seal_rows: { when: isPrivate, files: { purpose: 'pitch_video', column: 'file_id' } },
    personal: ['title', 'transcript', 'segments', 'evaluation'],
  },
  'enablement.pitch_reviews': { ...businessData, seal_rows: ofPrivatePitch, personal: ['scores', 'comment'] },
  'enablement.pitch_comments': { ...businessData, seal_rows: ofPrivatePitch, personal: ['body'] },
}
