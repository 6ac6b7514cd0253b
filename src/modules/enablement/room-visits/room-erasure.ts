import type { Erasure, ErasureBatch } from '#platform/module'
import { deleteCodesOf } from './codes.queries.ts'
import { eraseLinkRecipients, erasePlanPeople } from './room-erasure.queries.ts'
import { blankVisitors } from './visitors.queries.ts'

export const roomErasure: Erasure = {
  name: 'enablement.rooms',
  async erase(tx, subject): Promise<ErasureBatch> {
    if ('user_id' in subject) return { counts: {} }
    const [emailKeys, contactIds] = [subject.email_keys, subject.contact_ids]
    return {
      counts: {
        'enablement.room_visitors': await blankVisitors(tx, { emailKeys, contactIds }),
        'enablement.room_codes': await deleteCodesOf(tx, emailKeys),
        'enablement.room_links': await eraseLinkRecipients(tx, { emailKeys, contactIds }),
        'enablement.room_plan_steps': await erasePlanPeople(tx, { emailKeys, names: subject.names }),
      },
    }
  },
}
