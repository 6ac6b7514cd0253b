import { type Static, Type } from 'typebox'
import { Id, Line, listQuery, named, nullable, Reference, sortOrder, strict, Timestamp } from '#platform/schema'

const Reason = Type.Enum(['spam', 'abuse', 'off_topic', 'personal_data', 'other'])
const Resolution = Type.Enum(['kept', 'hidden', 'deleted'])
export type Resolution = Static<typeof Resolution>

export const NewThreadReport = strict({
  reply_id: Type.Optional({ ...Id, description: 'A reply to the thread. Without it, the thread itself is reported.' }),
  reason: Reason,
  note: Type.Optional(Line(500)),
})
export type NewThreadReport = Static<typeof NewThreadReport>

const reportFields = {
  id: Id,
  thread_id: Id,
  reply_id: nullable(Id),
  reason: Reason,
  note: nullable(Type.String()),
  resolved_at: nullable(Timestamp),
  resolution: nullable(Resolution),
  created_at: Timestamp,
  version: Type.Integer(),
}

export const OwnThreadReport = named('OwnThreadReport', strict(reportFields))
export type OwnThreadReport = Static<typeof OwnThreadReport>

export const ThreadReport = named(
  'ThreadReport',
  strict({
    ...reportFields,
    room_id: Id,
    reporter: Reference,
    title: Type.String({ description: 'The title of the thread.' }),
    excerpt: Type.String({ description: 'The first 280 characters of the reported thread or reply.' }),
    author: { ...Reference, description: 'The author of the reported thread or reply.' },
    is_hidden: Type.Boolean(),
    is_deleted: Type.Boolean(),
  }),
)
export type ThreadReport = Static<typeof ThreadReport>

export const ThreadReportFilter = listQuery({
  room_id: Type.Optional(Id),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type ThreadReportFilter = Static<typeof ThreadReportFilter>

export const ReportParams = strict({ report_id: Id })

export const ReportResolution = strict({
  resolution: Type.Enum(['kept', 'hidden', 'deleted'], {
    description: '`kept` makes a hidden thread or reply visible, `hidden` hides it, `deleted` deletes it.',
  }),
})
export type ReportResolution = Static<typeof ReportResolution>
