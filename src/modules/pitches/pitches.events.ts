import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Score = nullable(Type.Number())
const submission = { user_id: Id, prompt_id: nullable(Id) }
const outcome = { ...submission, score: Score, passed: nullable(Type.Boolean()) }

export const promptCreated = defineEvent('pitch_prompt.created', {
  resource: 'pitch',
  description: 'A pitch prompt was created',
  data: strict({ title: Type.String({ examples: ['Elevator pitch'] }) }),
})
export const promptUpdated = defineEvent('pitch_prompt.updated', {
  resource: 'pitch',
  description: 'A pitch prompt was updated',
  data: strict({ changed: Fields }),
})
export const promptActivated = defineEvent('pitch_prompt.activated', {
  resource: 'pitch',
  description: 'A pitch prompt was opened for submissions',
  data: strict({}),
})
export const promptArchived = defineEvent('pitch_prompt.archived', {
  resource: 'pitch',
  description: 'A pitch prompt was archived',
  data: strict({}),
})
export const promptAssigned = defineEvent('pitch_prompt.assigned', {
  resource: 'pitch',
  description: 'A pitch prompt was assigned to users',
  data: strict({ users: Type.Integer(), due_on: nullable(Type.String({ examples: ['2030-01-31'] })) }),
})
export const promptDeleted = defineEvent('pitch_prompt.deleted', {
  resource: 'pitch',
  description: 'A pitch prompt was deleted',
  data: strict({}),
})

export const pitchCreated = defineEvent('pitch_submission.created', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A take of a pitch prompt was started',
  data: strict({ ...submission, take_no: nullable(Type.Integer()) }),
})
export const pitchSubmitted = defineEvent('pitch_submission.submitted', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A pitch was submitted for review',
  data: strict({ ...submission, is_practice: Type.Boolean() }),
})
export const pitchUpdated = defineEvent('pitch_submission.updated', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A submitted pitch was updated',
  data: strict({ ...submission, changed: Fields }),
})
export const pitchEvaluated = defineEvent('pitch_submission.evaluated', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A pitch was scored by a model or by rules',
  data: strict(outcome),
})
export const pitchReviewed = defineEvent('pitch_submission.reviewed', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A pitch has all its reviews',
  data: strict(outcome),
})
export const pitchReturned = defineEvent('pitch_submission.returned', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A pitch was returned for another take',
  data: strict(outcome),
})
export const pitchReviewAdded = defineEvent('pitch_submission.review_added', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A reviewer scored a pitch',
  data: strict({ ...submission, reviewer_id: Id, decision: Type.String({ examples: ['approved'] }) }),
})
export const pitchCommented = defineEvent('pitch_submission.commented', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A user commented on a pitch',
  data: strict({ ...submission, comment_id: Id, author_id: Id }),
})
export const pitchVideoDeleted = defineEvent('pitch_submission.video_deleted', {
  resource: 'pitch',
  isPersonal: true,
  description: 'The video of a pitch was deleted after its retention period',
  data: strict(submission),
})
export const pitchDeleted = defineEvent('pitch_submission.deleted', {
  resource: 'pitch',
  isPersonal: true,
  description: 'A pitch was deleted with its video',
  data: strict(submission),
})
