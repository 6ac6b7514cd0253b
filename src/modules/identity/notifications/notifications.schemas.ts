import { type Static, Type } from 'typebox'
import { Id, listQuery, named, nullable, strict, Timestamp } from '#platform/schema'

export const Notification = named(
  'Notification',
  strict({
    id: Id,
    kind: Type.String({ description: 'What it tells of, such as `lead.assigned`.' }),
    title: Type.String(),
    body: Type.String(),
    path: nullable(Type.String({ description: 'Where in the workspace to look.' })),
    resource_type: nullable(Type.String()),
    resource_id: nullable(Id),
    read_at: nullable(Timestamp),
    created_at: Timestamp,
  }),
)

export const NotificationFilter = listQuery({
  unread: Type.Optional(Type.Boolean({ description: 'Only those not read yet, or with `false` only the others.' })),
})

export const NotificationsRead = Type.Union([
  strict({ ids: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true }) }),
  strict({ all: Type.Literal(true) }),
])
export type NotificationsRead = Static<typeof NotificationsRead>

export const NotificationsMarked = strict({
  marked: Type.Integer({ minimum: 0, description: 'How many were not read before.' }),
})
