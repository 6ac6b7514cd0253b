import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Text = Type.String()
const resource = 'surveys' as const

export const surveyCreated = defineEvent('survey.created', {
  resource,
  description: 'A survey was created',
  data: strict({ survey_type: Text, owner_id: Id }),
})
export const surveyUpdated = defineEvent('survey.updated', {
  resource,
  description: 'A survey, its questions or its public link were updated',
  data: strict({ changed: Type.Array(Text) }),
})
export const surveyActivated = defineEvent('survey.activated', {
  resource,
  description: 'A survey was activated',
  data: strict({}),
})
export const surveyPaused = defineEvent('survey.paused', {
  resource,
  description: 'A survey was paused',
  data: strict({}),
})
export const surveyClosed = defineEvent('survey.closed', {
  resource,
  description: 'A survey was closed',
  data: strict({ reason: Text }),
})
export const surveyReopened = defineEvent('survey.reopened', {
  resource,
  description: 'A closed survey was activated again',
  data: strict({}),
})
export const surveyDeleted = defineEvent('survey.deleted', {
  resource,
  description: 'A survey was deleted',
  data: strict({}),
})
export const surveyDistributed = defineEvent('survey.distributed', {
  resource,
  description: 'Invitations to a survey are being sent',
  data: strict({ distribution_id: Id, estimated_recipients: Type.Integer() }),
})
export const responseStarted = defineEvent('survey.response_started', {
  resource,
  description: 'A respondent saved first answers',
  data: strict({ contact_id: nullable(Id), lead_id: nullable(Id) }),
})
export const responseCompleted = defineEvent('survey.response_completed', {
  resource,
  description: 'A response to a survey that is not anonymous was completed',
  data: strict({
    survey_type: Text,
    response_id: Id,
    contact_id: nullable(Id),
    lead_id: nullable(Id),
    account_id: nullable(Id),
    score: nullable(Type.Integer()),
    sentiment: nullable(Text),
    points: nullable(Type.Integer()),
  }),
})
export const responsesReleased = defineEvent('survey.responses_released', {
  resource,
  description: 'Several responses to an anonymous survey became part of its results',
  data: strict({ count: Type.Integer() }),
})
export const responseDeleted = defineEvent('survey.response_deleted', {
  resource,
  description: 'A response to a survey was deleted',
  data: strict({ response_id: Id, contact_id: nullable(Id), lead_id: nullable(Id) }),
})
