import { profilePartPoint } from '#modules/identity'
import { extend, type Module } from '#platform/module'
import * as events from './insights.events.ts'
import { insightTables } from './insights.tables.ts'
import { readinessChecks } from './integrity/readiness.checks.ts'
import { enablementProfileParts } from './profile/profile-parts.ts'
import { readinessErasure } from './readiness/readiness.erasures.ts'
import {
  markReadersSchedule,
  markSellersHandler,
  readinessSubscriptions,
  recomputeAllReadinessSchedule,
  recomputeReadinessSchedule,
} from './readiness/readiness.jobs.ts'
import { readinessRoutes } from './readiness/readiness.routes.ts'
import { readinessSettings } from './readiness/readiness-settings.ts'
import { onInsightsChanged, refreshInsightsSchedule } from './report/insights.jobs.ts'
import { insightRoutes } from './report/insights.routes.ts'
import { insightsSample } from './sample-data/insights-sample.ts'

export const insights: Module = {
  name: 'insights',
  purpose: 'Numbers of all sales enablement, and the readiness of sellers.',
  uses: ['identity', 'crm', 'library', 'rooms', 'coaching', 'pitches', 'learning', 'experts'],
  schema: 'enablement',
  reads: ['enablement.content_item_stats', 'enablement.content_items', 'enablement.room_items', 'enablement.rooms'],
  routes: (services) => async (app) => {
    await app.register(insightRoutes(services))
    await app.register(readinessRoutes(services))
  },
  tables: insightTables,
  events: Object.values(events),
  schedules: (services) => [
    refreshInsightsSchedule(services),
    recomputeReadinessSchedule(services),
    recomputeAllReadinessSchedule(services),
    markReadersSchedule(services),
  ],
  jobs: () => [markSellersHandler],
  subscriptions: [onInsightsChanged, ...readinessSubscriptions],
  integrityChecks: () => readinessChecks,
  sampleData: () => [insightsSample],
  erasures: [readinessErasure],
  settings: [readinessSettings],
  extensions: [extend(profilePartPoint, enablementProfileParts)],
}
