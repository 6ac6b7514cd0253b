import { emailKindPoint } from '#modules/crm'
import { homePartPoint, searchSourcePoint } from '#modules/identity'
import { extend, type Module } from '#platform/module'
import { roomNamePoint } from './content-analytics/room-names.ts'
import { contentReaderPoint } from './content-files/content-reader.ts'
import { enablementHomeParts } from './home/home-parts.ts'
import { foldRoomVisitsSchedule } from './room-analytics/fold-visits.jobs.ts'
import { roomAnalyticsRoutes } from './room-analytics/room-analytics.routes.ts'
import { reviewRoomsSchedule } from './room-analytics/silent-rooms.jobs.ts'
import { roomChecks } from './room-integrity/room.checks.ts'
import { onContentHidden } from './room-items/hidden-content.subscriptions.ts'
import { roomItemRoutes } from './room-items/room-items.routes.ts'
import { linkEmails } from './room-links/link-emails.ts'
import { roomLinkRoutes } from './room-links/room-links.routes.ts'
import { planPageRoutes } from './room-pages/plan-page.public.routes.ts'
import { previewPageRoutes } from './room-pages/preview-page.public.routes.ts'
import { roomPageRoutes } from './room-pages/room-pages.public.routes.ts'
import { roomScriptRoutes } from './room-pages/room-scripts.public.routes.ts'
import { roomViewerRoutes } from './room-pages/viewer.public.routes.ts'
import { roomPlanRoutes } from './room-plan/room-plan.routes.ts'
import { roomPreviewRoutes } from './room-previews/room-preview.routes.ts'
import { findRoomNames } from './room-records/rooms.queries.ts'
import { roomSample } from './room-sample-data/room-sample.ts'
import { roomSearchSource } from './room-search/room-search-source.ts'
import { visitTokensOf } from './room-visit-records/visit-tokens.ts'
import { onContactDeleted, onRoomVisited } from './room-visits/log-visits.subscriptions.ts'
import { roomErasure, roomMentionErasure } from './room-visits/room-erasure.ts'
import { publicRoomRoutes } from './room-visits/room-visits.public.routes.ts'
import { sendCodeHandler } from './room-visits/send-code.jobs.ts'
import { visitSettings } from './room-visits/visit-settings.ts'
import { mayVisitorRead } from './room-visits/visitor-files.service.ts'
import { onOwnerDeactivated, reassignRoomsHandler } from './rooms/reassign-rooms.jobs.ts'
import { roomRoutes } from './rooms/rooms.routes.ts'
import { onAccountRenamed } from './rooms/rooms.subscriptions.ts'
import { roomErrors } from './rooms.errors.ts'
import * as events from './rooms.events.ts'
import { roomPresenters } from './rooms.presenters.ts'
import { roomReferences } from './rooms.references.ts'
import { roomTables } from './rooms.tables.ts'

export const rooms: Module = {
  name: 'rooms',
  purpose: 'Pages that sellers share with buyers: links, items, plans, visits and their analytics.',
  uses: ['identity', 'crm', 'library'],
  schema: 'enablement',
  reads: ['platform.files'],
  routes: (services) => async (app) => {
    await app.register(roomRoutes(services))
    await app.register(roomItemRoutes)
    await app.register(roomLinkRoutes(services))
    await app.register(roomPlanRoutes(services))
    await app.register(roomAnalyticsRoutes(services))
    await app.register(publicRoomRoutes(services, visitTokensOf(services)))
    await app.register(roomPreviewRoutes(services, visitTokensOf(services)))
    await app.register(roomPageRoutes(services, visitTokensOf(services)))
    await app.register(previewPageRoutes(services, visitTokensOf(services)))
    await app.register(planPageRoutes(services, visitTokensOf(services)))
    await app.register(roomViewerRoutes(services, visitTokensOf(services)))
    await app.register(roomScriptRoutes)
  },
  tables: roomTables,
  errors: roomErrors,
  events: Object.values(events),
  schedules: (services) => [foldRoomVisitsSchedule(services), reviewRoomsSchedule(services)],
  jobs: (services) => [reassignRoomsHandler, sendCodeHandler(services, visitTokensOf(services))],
  subscriptions: [onAccountRenamed, onOwnerDeactivated, onContentHidden, onRoomVisited, onContactDeleted],
  integrityChecks: () => roomChecks,
  sampleData: (services) => [roomSample(services)],
  erasures: [roomMentionErasure, roomErasure],
  mergeReferences: roomReferences,
  eventPresenters: roomPresenters,
  settings: [visitSettings],
  extensions: [
    extend(emailKindPoint, [linkEmails]),
    extend(homePartPoint, enablementHomeParts),
    extend(searchSourcePoint, [roomSearchSource]),
    extend(contentReaderPoint, [mayVisitorRead]),
    extend(roomNamePoint, [findRoomNames]),
  ],
}
