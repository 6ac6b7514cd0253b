import { assertAssignable } from '#modules/identity'
import { unknownReference } from '#platform/errors'
import type { EnrollTarget } from '../../segments/segments/enroll-target.ts'
import { findCadence, findCadenceNames } from '../cadence-records/cadences.queries.ts'
import { assertMayChooseSender } from './chosen-sender.service.ts'
import { assertEnrollable, enrollPersons } from './enroll-persons.service.ts'
import { countOutcomes } from './enroll-result.rules.ts'

export const cadenceTarget: EnrollTarget = {
  type: 'cadence',
  scope: 'cadences.write',
  usesSender: true,
  findNames: findCadenceNames,
  async assertEnrollable(tx, actor, cadenceId, { sender_id }) {
    const cadence = await findCadence(tx, cadenceId)
    if (!cadence) throw unknownReference('/target_id', 'cadence')
    assertEnrollable(cadence)
    await assertAssignable(tx, sender_id, '/sender_id')
    await assertMayChooseSender(tx, actor, sender_id)
  },
  async enroll(tx, actor, cadenceId, { objectType, ids, now, requestKey }, { sender_id: senderId }, services) {
    const persons = objectType === 'lead' ? { leadIds: ids, contactIds: [] } : { leadIds: [], contactIds: ids }
    const options = { senderId, via: 'segment', now, requestKey } as const
    const outcomes = await enrollPersons(tx, actor, cadenceId, persons, options, services)
    const { enrolled, skipped_by_code } = countOutcomes(outcomes)
    const rejected = outcomes.filter(({ code }) => code !== null && code !== 'already_enrolled')
    return { enrolled, skipped: skipped_by_code, rejectedIds: rejected.map(({ id }) => id) }
  },
}
