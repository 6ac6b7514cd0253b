import { type Static, Type } from 'typebox'
import { Id, strict, withExample } from '#platform/schema'
import { maxReadPages } from './page-seconds.rules.ts'

const PageNumber = Type.Integer({ minimum: 1, maximum: 10_000 })

export const ReadPages = Type.Array(
  strict({
    page: { ...PageNumber, description: 'Number of the page, from 1.' },
    seconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  }),
  { maxItems: maxReadPages, description: 'Seconds of use by page since the view was opened.' },
)

export const ViewParams = strict({ view_id: Id })
export const ViewHeartbeat = withExample(
  strict({
    active_seconds: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description: 'Seconds of use since the view was opened, not since the last heartbeat.',
    }),
    progress: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share that was read or played. Media counts as far as `active_seconds` allow at double speed.',
      }),
    ),
    page: Type.Optional(PageNumber),
    pages: Type.Optional(ReadPages),
  }),
  { active_seconds: 15 },
)
export type ViewHeartbeat = Static<typeof ViewHeartbeat>
export const ContentView = strict({
  id: Id,
  active_seconds: Type.Integer(),
  progress: Type.Number(),
  completed: Type.Boolean(),
})
export type ContentView = Static<typeof ContentView>
