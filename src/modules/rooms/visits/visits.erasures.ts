import { redactAuditMentions } from '#platform/audit'
import { definePersonErasure, type ErasureBatch } from '#platform/module'
import { deleteMentionsInNotifications } from '#platform/notify'
import { deleteCodesOf } from '../visit-records/codes.queries.ts'
import { blankVisitors } from '../visit-records/visitors.queries.ts'
import { eraseCompletedBy, eraseLinkRecipients, erasePlanPeople, listVisitedRooms } from './room-erasure.queries.ts'

/** Runs before the visitors are blanked, because visitors enter their names themselves. */
export const roomMentionErasure = definePersonErasure(
  'enablement.room_mentions',
  async (tx, person, after): Promise<ErasureBatch> => {
    const visited = await listVisitedRooms(tx, { emailKeys: person.email_keys, contactIds: person.contact_ids })
    if (!visited.length) return { counts: {} }
    const resourceIds = visited.map(({ room_id }) => room_id)
    const names = [...person.names, ...visited.flatMap(({ names: entered }) => entered)]
    // Only whole values, because a short name can be a part of other words.
    const mentions = names.map((name) => JSON.stringify(name))
    const notifications = after ? 0 : await deleteMentionsInNotifications(tx, resourceIds, mentions)
    const steps = after ? 0 : await eraseCompletedBy(tx, resourceIds, names)
    const { redacted, next } = await redactAuditMentions(tx, { mentions, resourceIds, after })
    return {
      counts: {
        'platform.notifications': notifications,
        'enablement.room_plan_steps': steps,
        'platform.audit_log': redacted,
      },
      ...(next && { next }),
    }
  },
  { requiresSystemRole: true },
)

export const roomErasure = definePersonErasure('enablement.rooms', async (tx, person) => {
  const [emailKeys, contactIds] = [person.email_keys, person.contact_ids]
  return {
    counts: {
      'enablement.room_visitors': await blankVisitors(tx, { emailKeys, contactIds }),
      'enablement.room_codes': await deleteCodesOf(tx, emailKeys),
      'enablement.room_links': await eraseLinkRecipients(tx, { emailKeys, contactIds }),
      'enablement.room_plan_steps': await erasePlanPeople(tx, { emailKeys, names: person.names }),
    },
  }
})
