import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { listNotifications } from '#platform/notify'
import { pageOf } from '#platform/schema'
import { Notification, NotificationFilter, NotificationsMarked, NotificationsRead } from './notifications.schemas.ts'
import { readNotifications } from './notifications.service.ts'

export const notificationsRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/auth/notifications',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'listNotifications',
        summary: 'List what you were told, the newest first',
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
        operationId: 'readNotifications',
        summary: 'Mark notifications as read: some, or all',
        body: NotificationsRead,
        response: { 200: NotificationsMarked },
      },
      handler: (request) => request.inTenant((tx) => readNotifications(tx, request.actor, request.body, clock.now())),
    })
  }
