import type { Module } from '#platform/module'
import { communityErrors } from './community.errors.ts'
import * as events from './community.events.ts'
import { communityPresenters } from './community.presenters.ts'
import { communityTables } from './community.tables.ts'
import { communityErasure, postTextErasures } from './erasure/community.erasures.ts'
import { followingRoutes } from './following/following.routes.ts'
import { notifyFollowersHandler, onReplyCreated } from './following/notify-followers.jobs.ts'
import { communityChecks } from './integrity/community.checks.ts'
import { purgePostsSchedule, reconcileSchedule, renderPostsSchedule } from './maintenance/maintenance.jobs.ts'
import { moderationRoutes } from './moderation/moderation.routes.ts'
import { publicThreadRoutes } from './public-threads/public-threads.public.routes.ts'
import { replyRoutes } from './replies/replies.routes.ts'
import { reportRoutes } from './reports/reports.routes.ts'
import { onReplyDeleted, onThreadDeleted } from './reports/reports.subscriptions.ts'
import { communityRoomRoutes } from './rooms/rooms.routes.ts'
import { communitySample } from './sample-data/community-sample.ts'
import { suspensionRoutes } from './suspensions/suspensions.routes.ts'
import { deleteRoomThreadsHandler, onRoomDeleted, onRoomTypeChanged } from './threads/room-threads.subscriptions.ts'
import { threadRoutes } from './threads/threads.routes.ts'

export const community: Module = {
  name: 'community',
  purpose: 'Discussions of the workspace in community rooms.',
  uses: ['identity', 'rooms'],
  schema: 'community',
  routes: (services) => async (app) => {
    await app.register(publicThreadRoutes)
    await app.register(threadRoutes(services))
    await app.register(replyRoutes(services))
    await app.register(moderationRoutes(services))
    await app.register(reportRoutes(services))
    await app.register(communityRoomRoutes)
    await app.register(followingRoutes(services))
    await app.register(suspensionRoutes(services))
  },
  tables: communityTables,
  errors: communityErrors,
  events: Object.values(events),
  schedules: (services) => [reconcileSchedule(services), purgePostsSchedule(services), renderPostsSchedule],
  jobs: () => [deleteRoomThreadsHandler, notifyFollowersHandler],
  subscriptions: [onRoomTypeChanged, onRoomDeleted, onThreadDeleted, onReplyDeleted, onReplyCreated],
  integrityChecks: () => communityChecks,
  sampleData: () => [communitySample],
  erasures: [communityErasure, ...postTextErasures],
  eventPresenters: communityPresenters,
}
