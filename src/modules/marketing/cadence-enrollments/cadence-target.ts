import { assertAssignable } from '#modules/crm'
import { unknownReference } from '#platform/errors'
import { findCadence } from '../cadence-records/cadences.queries.ts'
import type { EnrollTarget } from '../segments/enroll-target.ts'
import { assertEnrollable, enrollPersons } from './enroll-persons.service.ts'
import { countOutcomes } from './enroll-result.rules.ts'

export const cadenceTarget: EnrollTarget = {
  type: 'cadence',
  scope: 'cadences.write',
  usesSender: true,
  async assertEnrollable(tx, cadenceId, { sender_id }) {
    const cadence = await findCadence(tx, cadenceId)
    if (!cadence) throw unknownReference('/target_id', 'cadence')
    assertEnrollable(cadence)
    await assertAssignable(tx, sender_id, '/sender_id')
  },
  async enroll(tx, actor, cadenceId, { objectType, ids, now }, { sender_id: senderId }, services) {
    const persons = objectType === 'lead' ? { leadIds: ids, contactIds: [] } : { leadIds: [], contactIds: ids }
    const options = { senderId, via: 'segment', now } as const
    const outcomes = await enrollPersons(tx, actor, cadenceId, persons, options, services)
    const { enrolled, skipped_by_code } = countOutcomes(outcomes)
    const rejected = outcomes.filter(({ code }) => code !== null && code !== 'already_enrolled')
    return { enrolled, skipped: skipped_by_code, rejectedIds: rejected.map(({ id }) => id) }
  },
}
