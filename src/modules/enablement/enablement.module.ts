import type { Module } from '#platform/module'
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
import { enablementSample } from './sample-data/enablement-sample.ts'
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
  ],
  integrityChecks: () => enablementChecks,
  sampleData: () => [enablementSample],
  erasures: contentErasures,
  mergeReferences: enablementReferences,
  eventPresenters: enablementPresenters,
  settings: [enablementSettings],
  filePurposes: [contentFilePurpose({ mayVisitorRead: async () => false })],
}
