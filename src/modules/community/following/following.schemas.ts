import { type Static, Type } from 'typebox'
import { Id, named, strict } from '#platform/schema'
import { readingFields } from '../threads/threads.schemas.ts'

export const ThreadReading = named('ThreadReading', strict({ thread_id: Id, ...readingFields }))
export type ThreadReading = Static<typeof ThreadReading>

export const ReadPosition = Type.Object(
  {
    reply_no: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'The last reply that was read, 0 for the thread itself. Without it, all replies were read.',
      }),
    ),
  },
  { additionalProperties: false, default: {} },
)
export type ReadPosition = Static<typeof ReadPosition>
