import { businessData, type Tables } from '#platform/module'

/** 25 months, so that the answers of two yearly cycles can be compared. Scores stay with the enrollment. */
const attemptDays = 761

export const learningTables: Tables = {
  // Deleted paths stay, because finished enrollments and certificates refer to them.
  'enablement.learning_paths': { ...businessData, ownable: 'owner_id', audit_label: 'title' },
  'enablement.learning_modules': businessData,
  'enablement.question_banks': { ...businessData, ownable: 'owner_id', audit_label: 'name' },
  'enablement.quiz_questions': businessData,
  'enablement.learning_enrollments': businessData,
  'enablement.enrollment_modules': { ...businessData, personal: ['submission', 'review'] },
  'enablement.quiz_attempts': {
    ...businessData,
    personal: ['answers'],
    purge_after: { column: 'submitted_at', days: attemptDays },
  },
  'enablement.certificates': { ...businessData, personal: ['holder_name', 'revoke_reason'] },
}
