import type { Module } from '#platform/module'
import * as events from './community.events.ts'
import { communityPresenters } from './community.presenters.ts'
import { communityTables } from './community.tables.ts'
import { publicThreadRoutes } from './public-threads/public-threads.public.routes.ts'
import { replyRoutes } from './replies/replies.routes.ts'
import { deleteRoomThreadsHandler, onRoomDeleted, onRoomTypeChanged } from './rooms/community-rooms.subscriptions.ts'
import { threadRoutes } from './threads/threads.routes.ts'

export const community: Module = {
  name: 'community',
  purpose: 'Discussions of the workspace in community rooms.',
  uses: ['identity', 'crm', 'enablement'],
  routes: (services) => async (app) => {
    await app.register(publicThreadRoutes)
    await app.register(threadRoutes(services))
    await app.register(replyRoutes(services))
  },
  tables: communityTables,
  events: Object.values(events),
  jobs: () => [deleteRoomThreadsHandler],
  subscriptions: [onRoomTypeChanged, onRoomDeleted],
  eventPresenters: communityPresenters,
}
