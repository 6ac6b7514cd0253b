import { systemClock } from '#platform/clock'
import type { Erasure, ErasureBatch } from '#platform/module'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { lockEnrollmentsWithCadences } from '../cadence-runs/lock-runs.service.ts'
import {
  eraseEnrollments,
  eraseRunTexts,
  eraseSenderSettings,
  listPersonEnrollments,
} from './erase-enrollments.queries.ts'

const batchSize = 500

/** Ends the enrollments of a person, and removes the email address and the texts that the sender wrote. */
export const enrollmentErasure: Erasure = {
  name: 'marketing.cadence_enrollments',
  async erase(tx, subject): Promise<ErasureBatch> {
    if ('user_id' in subject)
      return { counts: { 'marketing.cadence_senders': await eraseSenderSettings(tx, subject.user_id) } }
    const { email_keys: emailKeys, lead_ids: leadIds, contact_ids: contactIds } = subject
    const ids = await listPersonEnrollments(tx, { emailKeys, leadIds, contactIds }, batchSize)
    if (!ids.length) return { counts: {} }
    await lockEnrollmentsWithCadences(tx, ids)
    await exitEnrollments(tx, ids, 'erased', systemClock.now())
    const counts = {
      'marketing.cadence_step_runs': await eraseRunTexts(tx, ids),
      'marketing.cadence_enrollments': await eraseEnrollments(tx, ids),
    }
    return { counts, ...(ids.length === batchSize && { next: 'more' }) }
  },
}
