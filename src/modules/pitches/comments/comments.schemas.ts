import { type Static, Type } from 'typebox'
import { clearable, Id, Line, strict, withExample } from '#platform/schema'

export const NewComment = withExample(
  strict({
    body: Line(2_000),
    at_seconds: clearable(
      Type.Number({ minimum: 0, maximum: 100_000, description: 'Time in the recording. Default: that of the parent.' }),
    ),
    parent_id: Type.Optional({ ...Id, description: 'A comment of the same submission.' }),
  }),
  { body: 'Good opening.', at_seconds: 12.5 },
)
export type NewComment = Static<typeof NewComment>
