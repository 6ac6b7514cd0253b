import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Text = Type.String()
const Fields = Type.Array(Text)
const Count = Type.Integer()

export const segmentCreated = defineEvent('segment.created', {
  resource: 'segments',
  description: 'A segment was created',
  data: strict({ object_type: Text, kind: Text }),
})
export const segmentUpdated = defineEvent('segment.updated', {
  resource: 'segments',
  description: 'A segment was updated, or its rules became valid or invalid',
  data: strict({ changed: Fields }),
})
export const segmentDeleted = defineEvent('segment.deleted', {
  resource: 'segments',
  description: 'A segment was deleted',
  data: strict({ object_type: Text }),
})
export const segmentMembersChanged = defineEvent('segment.members_changed', {
  resource: 'segments',
  description: 'Members were added to or removed from a static segment',
  data: strict({ added: Count, removed: Count }),
})
export const segmentEnrolled = defineEvent('segment.enrolled', {
  resource: 'segments',
  description: 'Members of a segment were enrolled into a target',
  data: strict({ target_type: Text, target_id: Id, flow_id: nullable(Id), matched: Count, enrolled: Count }),
})
export const segmentFlowStarted = defineEvent('segment.flow_started', {
  resource: 'segments',
  description: 'A continuous enrollment of a segment was started',
  data: strict({ flow_id: Id, target_type: Text, target_id: Id }),
})
export const segmentFlowStopped = defineEvent('segment.flow_stopped', {
  resource: 'segments',
  description: 'A continuous enrollment of a segment was stopped',
  data: strict({ flow_id: Id, target_type: Text, target_id: Id, reason: nullable(Text) }),
})

const record = { entity_type: Text, entity_id: Id }

export const enrichmentCompleted = defineEvent('enrichment.completed', {
  resource: 'enrichment',
  description: 'A record was enriched, or there was nothing to enrich',
  data: strict({ ...record, status: Text, reason: nullable(Text), fields: Fields }),
})
export const enrichmentFailed = defineEvent('enrichment.failed', {
  resource: 'enrichment',
  description: 'No provider could be reached to enrich a record',
  data: strict(record),
})
export const suggestionAccepted = defineEvent('enrichment_suggestion.accepted', {
  resource: 'enrichment',
  description: 'A suggested value was accepted',
  data: strict({ ...record, field: Text }),
})
export const suggestionRejected = defineEvent('enrichment_suggestion.rejected', {
  resource: 'enrichment',
  description: 'A suggested value was rejected',
  data: strict({ ...record, field: Text }),
})

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

export const cadenceCreated = defineEvent('cadence.created', {
  resource: 'cadences',
  description: 'A cadence was created',
  data: strict({}),
})
export const cadenceUpdated = defineEvent('cadence.updated', {
  resource: 'cadences',
  description: 'A cadence or its steps were updated',
  data: strict({ changed: Fields }),
})
export const cadenceStatusChanged = defineEvent('cadence.status_changed', {
  resource: 'cadences',
  description: 'The status of a cadence changed',
  data: strict({ from: Text, to: Text }),
})
export const cadenceAutoPaused = defineEvent('cadence.auto_paused', {
  resource: 'cadences',
  description: 'A cadence was paused because too many of its emails bounced',
  data: strict({ sent: Count, bounced: Count }),
})
export const cadenceDeleted = defineEvent('cadence.deleted', {
  resource: 'cadences',
  description: 'A cadence was deleted',
  data: strict({}),
})

/** One event describes several enrollments, because many can change at once. */
const enrollments = { enrollments: Type.Array(Member) }
const defineEnrollmentsEvent = (fact: string, description: string) =>
  defineEvent(`cadence.${fact}`, { resource: 'cadences', description, data: strict(enrollments) })
export const cadenceEnrolled = defineEnrollmentsEvent('enrolled', 'Persons were enrolled in a cadence')
export const cadenceResumed = defineEnrollmentsEvent('resumed', 'Enrollments in a cadence were resumed')
export const cadenceCompleted = defineEnrollmentsEvent('completed', 'Enrollments in a cadence reached its end')
export const cadenceSenderChanged = defineEvent('cadence.sender_changed', {
  resource: 'cadences',
  description: 'Enrollments in a cadence got another sender',
  data: strict({ ...enrollments, sender_id: Id }),
})
export const cadencePaused = defineEvent('cadence.paused', {
  resource: 'cadences',
  description: 'Enrollments in a cadence were paused',
  data: strict({ ...enrollments, reason: Text }),
})
export const cadenceExited = defineEvent('cadence.exited', {
  resource: 'cadences',
  description: 'Enrollments in a cadence ended before its last step',
  data: strict({ ...enrollments, reason: Text }),
})

/** The first click or open of an email by a person. The id of the subject is that of the email. */
const defineHitEvent = (fact: string, description: string) =>
  defineEvent(`email.${fact}`, {
    resource: 'cadences',
    description,
    data: strict({ kind: Text, ref_id: Id }),
  })
export const emailClicked = defineHitEvent(
  'clicked',
  'The recipient of a marketing email clicked a link for the first time',
)
export const emailOpened = defineHitEvent('opened', 'The recipient of a marketing email opened it for the first time')
