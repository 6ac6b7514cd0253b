import { type Static, Type } from 'typebox'
import { Id, listQuery, named, nullable, sortOrder, strict, Timestamp } from '#platform/schema'

export const Notification = named(
  'Notification',
  strict({
    id: Id,
    kind: Type.String({ description: 'Kind of notification, such as `lead.assigned`.' }),
    title: Type.String(),
    body: Type.String(),
    path: nullable(Type.String({ description: 'Path of the related record in the workspace.' })),
    resource_type: nullable(Type.String()),
    resource_id: nullable(Id),
    read_at: nullable(Timestamp),
    created_at: Timestamp,
  }),
)

export const NotificationFilter = listQuery({
  sort: sortOrder(['-created_at', 'created_at']),
  unread: Type.Optional(Type.Boolean({ description: 'Only unread notifications; with `false` only read ones.' })),
})

export const NotificationSelection = Type.Union(
  [
    strict({
      ids: Type.Array(Id, {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'Notifications to mark as read.',
      }),
    }),
    strict({ all: Type.Literal(true, { description: 'Marks all notifications as read.' }) }),
  ],
  { examples: [{ all: true }] },
)
export type NotificationSelection = Static<typeof NotificationSelection>

export const MarkedNotifications = strict({
  marked: Type.Integer({ minimum: 0, description: 'Number of notifications that were unread before.' }),
})
