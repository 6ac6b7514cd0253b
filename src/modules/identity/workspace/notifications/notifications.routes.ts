import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { listNotifications } from '#platform/notify'
import { pageOf } from '#platform/schema'
import {
  MarkedNotifications,
  Notification,
  NotificationFilter,
  NotificationSelection,
} from './notifications.schemas.ts'
import { markNotificationsRead } from './notifications.service.ts'

export const notificationsRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/auth/notifications',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'listNotifications',
        summary: 'List your notifications',
        description: 'Returns in-app notifications, newest first.',
        querystring: NotificationFilter,
        response: { 200: pageOf(Notification) },
      },
      handler: (request) => request.inTenant((tx) => listNotifications(tx, request.actor.userId, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/auth/notifications/read',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'markNotificationsRead',
        summary: 'Mark notifications as read',
        description:
          'Marks the notifications in `ids`, or with `all: true` all of them. Notifications that are already read keep their `read_at`.',
        body: NotificationSelection,
        response: { 200: MarkedNotifications },
      },
      handler: (request) =>
        request.inTenant((tx) => markNotificationsRead(tx, request.actor, request.body, clock.now())),
    })
  }
