import { type Static, Type } from 'typebox'
import { Id, nullable, strict } from '#platform/schema'

/** Who ordered work that goes on without them, as it is kept with the order. What they may do is asked anew. */
export const OrderedBy = strict({
  type: Type.Enum(['user', 'api_key', 'impersonation']),
  userId: Id,
  actorUserId: nullable(Id),
  sessionId: nullable(Id),
  apiKeyId: nullable(Id),
})
export type OrderedBy = Static<typeof OrderedBy>
