import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Module = strict({ module_id: Id, kind: Type.String({ examples: ['quiz'] }) })
const enrollment = { path_id: Id, user_id: Id }
const certificate = { path_id: nullable(Id), user_id: nullable(Id) }
const Score = nullable(Type.Number())

export const pathCreated = defineEvent('learning_path.created', {
  resource: 'learning',
  description: 'A learning path was created',
  data: strict({ title: Type.String({ examples: ['Product basics'] }) }),
})
export const pathUpdated = defineEvent('learning_path.updated', {
  resource: 'learning',
  description: 'A learning path was updated',
  data: strict({ changed: Fields }),
})
export const pathPublished = defineEvent('learning_path.published', {
  resource: 'learning',
  description: 'A learning path was opened for enrollments',
  data: strict({}),
})
export const pathArchived = defineEvent('learning_path.archived', {
  resource: 'learning',
  description: 'A learning path was archived',
  data: strict({}),
})
export const pathDeleted = defineEvent('learning_path.deleted', {
  resource: 'learning',
  description: 'A learning path was deleted',
  data: strict({}),
})
export const moduleAdded = defineEvent('learning_path.module_added', {
  resource: 'learning',
  description: 'A module was added to a learning path',
  data: Module,
})
export const moduleUpdated = defineEvent('learning_path.module_updated', {
  resource: 'learning',
  description: 'A module of a learning path was updated',
  data: Module,
})
export const moduleRemoved = defineEvent('learning_path.module_removed', {
  resource: 'learning',
  description: 'A module was removed from a learning path',
  data: Module,
})

export const bankCreated = defineEvent('question_bank.created', {
  resource: 'learning',
  description: 'A question bank was created',
  data: strict({ name: Type.String({ examples: ['Product questions'] }) }),
})
export const bankUpdated = defineEvent('question_bank.updated', {
  resource: 'learning',
  description: 'A question bank was updated',
  data: strict({ questions: Type.Integer() }),
})
export const bankDeleted = defineEvent('question_bank.deleted', {
  resource: 'learning',
  description: 'A question bank was deleted',
  data: strict({}),
})

export const enrollmentCreated = defineEvent('learning_enrollment.created', {
  resource: 'learning',
  isPersonal: true,
  description: 'A user was enrolled in a learning path',
  data: strict({ ...enrollment, source: Type.String({ examples: ['assigned'] }), cycle: Type.Integer() }),
})
export const enrollmentUpdated = defineEvent('learning_enrollment.updated', {
  resource: 'learning',
  isPersonal: true,
  description: 'The due date of an enrollment changed, or it continues after the reactivation of its user',
  data: strict({ ...enrollment, changed: Fields }),
})
export const enrollmentStarted = defineEvent('learning_enrollment.started', {
  resource: 'learning',
  isPersonal: true,
  description: 'A user started a learning path',
  data: strict(enrollment),
})
export const enrollmentProgressed = defineEvent('learning_enrollment.progressed', {
  resource: 'learning',
  isPersonal: true,
  description: 'The state of a module of an enrollment changed',
  data: strict({ ...enrollment, module_id: Id, state: Type.String({ examples: ['completed'] }), score: Score }),
})
export const enrollmentCompleted = defineEvent('learning_enrollment.completed', {
  resource: 'learning',
  isPersonal: true,
  description: 'A user completed a learning path',
  data: strict({ ...enrollment, score: Score }),
})
export const enrollmentFailed = defineEvent('learning_enrollment.failed', {
  resource: 'learning',
  isPersonal: true,
  description: 'A user failed a required module and has no attempts left',
  data: strict({ ...enrollment, module_id: Id }),
})
export const enrollmentReviewed = defineEvent('learning_enrollment.reviewed', {
  resource: 'learning',
  isPersonal: true,
  description: 'A module of an enrollment was reviewed, waived or reset',
  data: strict({ ...enrollment, module_id: Id, decision: Type.String({ examples: ['pass'] }) }),
})
export const enrollmentWithdrawn = defineEvent('learning_enrollment.withdrawn', {
  resource: 'learning',
  isPersonal: true,
  description: 'An enrollment was withdrawn',
  data: strict(enrollment),
})

export const certificateIssued = defineEvent('certificate.issued', {
  resource: 'learning',
  isPersonal: true,
  description: 'A certificate was issued',
  data: strict(certificate),
})
export const certificateExpired = defineEvent('certificate.expired', {
  resource: 'learning',
  isPersonal: true,
  description: 'A certificate expired',
  data: strict(certificate),
})
export const certificateRevoked = defineEvent('certificate.revoked', {
  resource: 'learning',
  isPersonal: true,
  description: 'A certificate was revoked',
  data: strict(certificate),
})
