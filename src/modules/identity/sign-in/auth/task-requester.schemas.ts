import { type Static, Type } from 'typebox'
import { Id, nullable, strict } from '#platform/schema'

/** Stored with a task. Permissions are not stored: they are checked again before every batch. */
export const TaskRequester = strict({
  type: Type.Enum(['user', 'api_key', 'impersonation']),
  userId: Id,
  actorUserId: nullable(Id),
  sessionId: nullable(Id),
  apiKeyId: nullable(Id),
})
export type TaskRequester = Static<typeof TaskRequester>
