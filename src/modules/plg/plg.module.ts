import type { Module } from '#platform/module'
import { actorRoutes } from './actors/actors.routes.ts'
import { usageAnalyticsRoutes } from './analytics/analytics.routes.ts'
import { plgSettingsRoutes } from './edit-settings/edit-settings.routes.ts'
import { actorErasureRoutes } from './erasure/actor-erasure.routes.ts'
import { erasePropertiesHandler } from './erasure/erase-actor.service.ts'
import { plgErasure } from './erasure/plg.erasures.ts'
import { eventNameRoutes } from './event-names/event-names.routes.ts'
import { ingestRoutes } from './ingest/ingest.routes.ts'
import { plgChecks } from './integrity/plg.checks.ts'
import { onRecordsChanged } from './links/follow-records.subscriptions.ts'
import { processMarksSchedule } from './maintenance/process-marks.jobs.ts'
import { purgeEventsSchedule } from './maintenance/purge-events.jobs.ts'
import * as events from './plg.events.ts'
import { plgPresenters } from './plg.presenters.ts'
import { plgReferences } from './plg.references.ts'
import { plgTables } from './plg.tables.ts'
import { qualificationRoutes } from './qualifications/qualifications.routes.ts'
import { applyRulesHandler, checkQualificationsSchedule, onRulesChanged } from './qualifications/rules.jobs.ts'
import { deleteRollUpsHandler, onUsageSettingsChanged, rebuildRollUpsHandler } from './rebuild/rebuild.jobs.ts'
import { productUsageFact } from './rule-facts/product-usage-fact.queries.ts'
import { plgSample } from './sample-data/plg-sample.ts'
import { plgSettings } from './settings/plg-settings.ts'

export const plg: Module = {
  name: 'plg',
  purpose: 'Usage of the product of the workspace: activity, funnels, retention and product-qualified leads.',
  uses: ['identity', 'crm'],
  schema: 'plg',
  routes: (services) => async (app) => {
    await app.register(ingestRoutes(services))
    await app.register(usageAnalyticsRoutes(services))
    await app.register(eventNameRoutes(services))
    await app.register(actorRoutes(services))
    await app.register(actorErasureRoutes(services))
    await app.register(qualificationRoutes)
    await app.register(plgSettingsRoutes(services))
  },
  tables: plgTables,
  events: Object.values(events),
  settings: [plgSettings],
  jobs: (services) => [
    rebuildRollUpsHandler(services),
    deleteRollUpsHandler(services),
    applyRulesHandler(services),
    erasePropertiesHandler,
  ],
  schedules: (services) => [
    processMarksSchedule(services),
    checkQualificationsSchedule(services),
    purgeEventsSchedule(services),
  ],
  subscriptions: [onUsageSettingsChanged, onRulesChanged, onRecordsChanged],
  ruleFacts: [productUsageFact],
  mergeReferences: plgReferences,
  integrityChecks: plgChecks,
  sampleData: (services) => [plgSample(services)],
  erasures: [plgErasure],
  eventPresenters: plgPresenters,
}
