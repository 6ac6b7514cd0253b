import { type BulkAction, lockPersonsOfContacts, type RecordResult, requiredParam, withApplyToAll } from '#modules/crm'
import { assertAssignable } from '#modules/identity'
import { conflict, notFound, unknownReference } from '#platform/errors'
import { findCadence } from '../cadence-records/cadences.queries.ts'
import { assertMayChooseSender } from './chosen-sender.service.ts'
import { assertEnrollable, enrollPersons } from './enroll-persons.service.ts'
import { type EnrollOutcome, skipMessageOf } from './enroll-result.rules.ts'

type Params = { cadence_id?: string; sender_id?: string }

const defineEnrollAction = (type: 'lead' | 'contact'): BulkAction => ({
  name: 'enroll_cadence',
  ...(type === 'contact' && { lockBeforeRecords: lockPersonsOfContacts }),
  takes: ['cadence_id', 'sender_id'],
  scopes: ['cadences.write', 'leads.read', 'contacts.read'],
  async assertParams(tx, { cadence_id, sender_id }: Params, { actor }) {
    if (!cadence_id) throw requiredParam('cadence_id')
    const cadence = await findCadence(tx, cadence_id)
    if (!cadence) throw unknownReference('/cadence_id', 'cadence')
    assertEnrollable(cadence)
    await assertAssignable(tx, sender_id, '/sender_id')
    await assertMayChooseSender(tx, actor, sender_id)
  },
  ...withApplyToAll(
    async (tx, ids, { cadence_id, sender_id: senderId }: Params, { actor, now, requestKey, services }) => {
      const options = { senderId, via: 'bulk', now, requestKey } as const
      const persons = type === 'lead' ? { leadIds: ids, contactIds: [] } : { leadIds: [], contactIds: ids }
      const outcomes = await enrollPersons(tx, actor, cadence_id!, persons, options, services)
      const outcomeById = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
      return ids.map((id) => toResult(type, outcomeById.get(id)!))
    },
  ),
})

export const enrollCadenceActions = { lead: defineEnrollAction('lead'), contact: defineEnrollAction('contact') }

function toResult(type: string, { code }: EnrollOutcome): RecordResult {
  if (code === null) return true
  return code === 'not_found' ? notFound(type) : conflict(code, skipMessageOf(code))
}
