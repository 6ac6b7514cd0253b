import { emailKindPoint } from '#modules/email'
import { homePartPoint, searchSourcePoint } from '#modules/identity'
import { contentReaderPoint, roomNamePoint } from '#modules/library'
import { extend, type Module } from '#platform/module'
import { roomAnalyticsRoutes } from './analytics/analytics.routes.ts'
import { recountRoomVisitsSchedule } from './analytics/recount-visits.jobs.ts'
import { reviewRoomsSchedule } from './analytics/silent-rooms.jobs.ts'
import { enablementHomeParts } from './home/home-parts.ts'
import { roomChecks } from './integrity/room.checks.ts'
import { onContentHidden } from './items/hidden-content.subscriptions.ts'
import { roomItemRoutes } from './items/items.routes.ts'
import { linkEmails } from './links/link-emails.ts'
import { roomLinkRoutes } from './links/links.routes.ts'
import { roomPageRoutes } from './pages/pages.public.routes.ts'
import { planPageRoutes } from './pages/plan-page.public.routes.ts'
import { previewPageRoutes } from './pages/preview-page.public.routes.ts'
import { roomScriptRoutes } from './pages/room-scripts.public.routes.ts'
import { roomViewerRoutes } from './pages/viewer.public.routes.ts'
import { roomPlanRoutes } from './plan/plan.routes.ts'
import { roomPreviewRoutes } from './previews/preview.routes.ts'
import { findRoomNames } from './records/rooms.queries.ts'
import { onOwnerDeactivated, reassignRoomsHandler } from './rooms/reassign-rooms.jobs.ts'
import { roomRoutes } from './rooms/rooms.routes.ts'
import { onAccountRenamed } from './rooms/rooms.subscriptions.ts'
import { roomErrors } from './rooms.errors.ts'
import * as events from './rooms.events.ts'
import { roomPresenters } from './rooms.presenters.ts'
import { roomReferences } from './rooms.references.ts'
import { roomTables } from './rooms.tables.ts'
import { roomSample } from './sample-data/room-sample.ts'
import { roomSearchSource } from './search/room-search-source.ts'
import { visitTokensOf } from './visit-records/visit-tokens.ts'
import { onContactDeleted, onRoomVisited } from './visits/log-visits.subscriptions.ts'
import { sendCodeHandler } from './visits/send-code.jobs.ts'
import { visitSettings } from './visits/visit-settings.ts'
import { mayVisitorRead } from './visits/visitor-files.service.ts'
import { roomErasure, roomMentionErasure } from './visits/visits.erasures.ts'
import { publicRoomRoutes } from './visits/visits.public.routes.ts'

export const rooms: Module = {
  name: 'rooms',
  purpose: 'Pages that sellers share with buyers: links, items, plans, visits and their analytics.',
  uses: ['identity', 'crm', 'email', 'library'],
  schema: 'enablement',
  reads: ['enablement.content_versions', 'enablement.content_views'],
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
  schedules: (services) => [recountRoomVisitsSchedule(services), reviewRoomsSchedule(services)],
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
