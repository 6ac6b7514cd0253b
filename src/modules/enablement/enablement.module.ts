import { emailKindPoint } from '#modules/crm'
import { systemClock } from '#platform/clock'
import { extend, type Module } from '#platform/module'
import { removeItemFromCollections } from './collections/collection-items.service.ts'
import { collectionRoutes } from './collections/collections.routes.ts'
import { expireContentSchedule, reviewDueSchedule } from './content/content.jobs.ts'
import { contentRoutes } from './content/content.routes.ts'
import { contentAnalyticsRoutes } from './content-analytics/analytics.routes.ts'
import { contentFilePurpose } from './content-files/content-file-purpose.ts'
import { publicContentFileRoutes } from './content-files/content-files.public.routes.ts'
import { contentFileRoutes } from './content-files/content-files.routes.ts'
import { foldViewsSchedule, refreshContentStatsSchedule } from './content-views/fold-views.jobs.ts'
import { contentViewRoutes } from './content-views/views.routes.ts'
import * as events from './enablement.events.ts'
import { enablementPresenters } from './enablement.presenters.ts'
import { enablementReferences } from './enablement.references.ts'
import { enablementTables } from './enablement.tables.ts'
import { contentErasures } from './erasure/content-erasures.ts'
import { enablementChecks } from './integrity/enablement.checks.ts'
import { foldRoomVisitsSchedule } from './room-analytics/fold-visits.jobs.ts'
import { roomAnalyticsRoutes } from './room-analytics/room-analytics.routes.ts'
import { reviewRoomsSchedule } from './room-analytics/silent-rooms.jobs.ts'
import { onContentHidden } from './room-items/hidden-content.subscriptions.ts'
import { roomItemRoutes } from './room-items/room-items.routes.ts'
import { linkEmails } from './room-links/link-emails.ts'
import { roomLinkRoutes } from './room-links/room-links.routes.ts'
import { roomPageRoutes } from './room-pages/room-pages.public.routes.ts'
import { roomPlanRoutes } from './room-plan/room-plan.routes.ts'
import { onContactDeleted, onRoomVisited } from './room-visits/log-visits.subscriptions.ts'
import { roomErasure, roomMentionErasure } from './room-visits/room-erasure.ts'
import { publicRoomRoutes } from './room-visits/room-visits.public.routes.ts'
import { sendCodeHandler } from './room-visits/send-code.jobs.ts'
import { visitTokensOf } from './room-visits/visit-tokens.ts'
import { mayVisitorRead } from './room-visits/visitor-files.service.ts'
import { onOwnerDeactivated, reassignRoomsHandler } from './rooms/reassign-rooms.jobs.ts'
import { roomRoutes } from './rooms/rooms.routes.ts'
import { onAccountRenamed } from './rooms/rooms.subscriptions.ts'
import { enablementSample } from './sample-data/enablement-sample.ts'
import { roomSample } from './sample-data/room-sample.ts'
import { enablementSettings } from './settings/enablement-settings.ts'

export const enablement: Module = {
  name: 'enablement',
  purpose: 'Sales content, collections and rooms shared with buyers.',
  uses: ['identity', 'crm'],
  routes: (services) => async (app) => {
    await app.register(contentRoutes(services, { removeEntries: [removeItemFromCollections] }))
    await app.register(contentViewRoutes(services))
    await app.register(contentFileRoutes(services))
    await app.register(publicContentFileRoutes(services))
    await app.register(roomRoutes(services))
    await app.register(roomItemRoutes)
    await app.register(roomLinkRoutes(services))
    await app.register(roomPlanRoutes(services))
    await app.register(roomAnalyticsRoutes(services))
    await app.register(publicRoomRoutes(services, visitTokensOf(services)))
    await app.register(roomPageRoutes(services, visitTokensOf(services)))
    await app.register(contentAnalyticsRoutes(services))
    await app.register(collectionRoutes(services))
  },
  tables: enablementTables,
  events: Object.values(events),
  schedules: (services) => [
    foldViewsSchedule(services),
    refreshContentStatsSchedule(services),
    expireContentSchedule(services),
    reviewDueSchedule(services),
    foldRoomVisitsSchedule(services),
    reviewRoomsSchedule(services),
  ],
  jobs: (services) => [reassignRoomsHandler, sendCodeHandler(services, visitTokensOf(services))],
  subscriptions: [onAccountRenamed, onOwnerDeactivated, onContentHidden, onRoomVisited, onContactDeleted],
  integrityChecks: () => enablementChecks,
  sampleData: (services) => [enablementSample, roomSample(services)],
  erasures: [...contentErasures, roomMentionErasure, roomErasure],
  mergeReferences: enablementReferences,
  eventPresenters: enablementPresenters,
  settings: [enablementSettings],
  extensions: [extend(emailKindPoint, [linkEmails])],
  filePurposes: [contentFilePurpose({ mayVisitorRead: mayVisitorRead(systemClock) })],
}
