import { searchSourcePoint } from '#modules/identity'
import { extend, type Module } from '#platform/module'
import { contentAnalyticsRoutes } from './analytics/analytics.routes.ts'
import { removeItemFromCollections } from './collections/collection-items.service.ts'
import { collectionRoutes } from './collections/collections.routes.ts'
import { contentRoutes } from './content/content.routes.ts'
import { contentSearchSource } from './content/content-search-source.ts'
import { contentSettings } from './content/content-settings.ts'
import { contentErasures } from './erasure/library.erasures.ts'
import { contentFilePurpose } from './files/content-files.purposes.ts'
import { publicContentFileRoutes } from './files/files.public.routes.ts'
import { contentFileRoutes } from './files/files.routes.ts'
import { libraryChecks } from './integrity/library.checks.ts'
import { libraryErrors } from './library.errors.ts'
import * as events from './library.events.ts'
import { libraryPresenters } from './library.presenters.ts'
import { libraryTables } from './library.tables.ts'
import { enablementSample } from './sample-data/library-sample.ts'
import { expireContentSchedule, reviewDueSchedule } from './schedules/schedules.jobs.ts'
import { recountViewsSchedule, refreshContentStatsSchedule } from './views/recount-views.jobs.ts'
import { contentViewRoutes } from './views/views.routes.ts'

export const library: Module = {
  name: 'library',
  purpose: 'Sales content with its files, views, collections and numbers.',
  uses: ['identity', 'crm'],
  schema: 'enablement',
  reads: ['platform.files'],
  routes: (services) => async (app) => {
    await app.register(contentRoutes(services, { removeEntries: [removeItemFromCollections] }))
    await app.register(contentViewRoutes(services))
    await app.register(contentFileRoutes(services))
    await app.register(publicContentFileRoutes(services))
    await app.register(contentAnalyticsRoutes(services))
    await app.register(collectionRoutes(services))
  },
  tables: libraryTables,
  errors: libraryErrors,
  events: Object.values(events),
  schedules: (services) => [
    recountViewsSchedule(services),
    refreshContentStatsSchedule(services),
    expireContentSchedule(services),
    reviewDueSchedule(services),
  ],
  integrityChecks: () => libraryChecks,
  sampleData: (services) => [enablementSample(services)],
  erasures: contentErasures,
  eventPresenters: libraryPresenters,
  settings: [contentSettings],
  extensions: [extend(searchSourcePoint, [contentSearchSource])],
  filePurposes: (extensionsOf) => [contentFilePurpose(extensionsOf)],
}
