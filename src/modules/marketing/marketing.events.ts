import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Text = Type.String()
const Member = strict({ id: Id, lead_id: nullable(Id), contact_id: nullable(Id) })

export const campaignCreated = defineEvent('campaign.created', {
  resource: 'campaigns',
  description: 'A campaign was created',
  data: strict({ type: Text }),
})
export const campaignUpdated = defineEvent('campaign.updated', {
  resource: 'campaigns',
  description: 'A campaign was updated',
  data: strict({ changed: Fields }),
})
export const campaignStatusChanged = defineEvent('campaign.status_changed', {
  resource: 'campaigns',
  description: 'The status of a campaign changed',
  data: strict({ from: Text, to: Text }),
})
export const campaignDeleted = defineEvent('campaign.deleted', {
  resource: 'campaigns',
  description: 'A campaign was deleted',
  data: strict({}),
})

/** One event describes several members, because many can be added at once. */
const defineMembersEvent = (fact: string, description: string) =>
  defineEvent(`campaign.${fact}`, { resource: 'campaigns', description, data: strict({ members: Type.Array(Member) }) })
export const campaignMemberAdded = defineMembersEvent('member_added', 'Members were added to a campaign')
export const campaignMemberResponded = defineMembersEvent('member_responded', 'Members responded to a campaign')
export const campaignMemberUpdated = defineMembersEvent('member_updated', 'Members of a campaign were updated')
export const campaignMemberRemoved = defineMembersEvent('member_removed', 'A member was removed from a campaign')
