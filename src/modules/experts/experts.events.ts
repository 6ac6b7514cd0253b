import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Topic = Type.String({ examples: ['pricing'] })
const expert = strict({ user_id: Id })
const request = strict({ topic: Topic, requester_id: Id, expert_user_id: nullable(Id) })

export const expertCreated = defineEvent('expert.created', {
  resource: 'experts',
  description: 'An expert was added to the directory',
  data: expert,
})
export const expertUpdated = defineEvent('expert.updated', {
  resource: 'experts',
  description: 'An expert was updated',
  data: strict({ user_id: Id, changed: Fields }),
})
export const expertDeleted = defineEvent('expert.deleted', {
  resource: 'experts',
  description: 'An expert was removed from the directory',
  data: expert,
})
export const expertRequestCreated = defineEvent('expert_request.created', {
  resource: 'experts',
  isPersonal: true,
  description: 'A request to an expert was created',
  data: request,
})
export const expertRequestUpdated = defineEvent('expert_request.updated', {
  resource: 'experts',
  isPersonal: true,
  description: 'A request to an expert was updated',
  data: strict({ changed: Fields }),
})
export const expertRequestAssigned = defineEvent('expert_request.assigned', {
  resource: 'experts',
  isPersonal: true,
  description: 'A request was assigned to an expert',
  data: request,
})
export const expertRequestUnassigned = defineEvent('expert_request.unassigned', {
  resource: 'experts',
  isPersonal: true,
  description: 'A request has no expert any more and waits for one',
  data: request,
})
export const expertRequestAccepted = defineEvent('expert_request.accepted', {
  resource: 'experts',
  isPersonal: true,
  description: 'An expert accepted a request',
  data: request,
})
export const expertRequestDeclined = defineEvent('expert_request.declined', {
  resource: 'experts',
  isPersonal: true,
  description: 'An expert declined a request',
  data: request,
})
export const expertRequestAnswered = defineEvent('expert_request.answered', {
  resource: 'experts',
  isPersonal: true,
  description: 'An expert answered a request',
  data: request,
})
export const expertRequestClosed = defineEvent('expert_request.closed', {
  resource: 'experts',
  isPersonal: true,
  description: 'An answered request was closed',
  data: request,
})
export const expertRequestReopened = defineEvent('expert_request.reopened', {
  resource: 'experts',
  isPersonal: true,
  description: 'An answered request was reopened',
  data: request,
})
export const expertRequestCancelled = defineEvent('expert_request.cancelled', {
  resource: 'experts',
  isPersonal: true,
  description: 'A request to an expert was cancelled',
  data: request,
})
export const expertRequestBreached = defineEvent('expert_request.sla_breached', {
  resource: 'experts',
  isPersonal: true,
  description: 'A request got no first response in time',
  data: request,
})
