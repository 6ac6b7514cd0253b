import { leadBulkActionPoint } from '#modules/crm'
import { extend, type Module } from '#platform/module'
import { enrichmentChecks } from './enrichment/enrichment.checks.ts'
import { enrichmentErasures } from './enrichment/enrichment.erasures.ts'
import { enrichmentPresenters } from './enrichment/enrichment-presenters.ts'
import { dispatchEnrichmentHandler } from './enrichment/jobs/dispatch-enrichment.jobs.ts'
import { enrichLeadsAction, onLeadsCreated } from './enrichment/jobs/enrich-many.service.ts'
import { enrichmentJobRoutes } from './enrichment/jobs/enrichment-jobs.routes.ts'
import { enrichmentSample } from './enrichment/sample-data/enrichment-sample.ts'
import { enrichmentSettingsRoutes } from './enrichment/settings/enrichment-settings.routes.ts'
import { onEnrichmentSettingsUpdated } from './enrichment/settings/enrichment-settings.subscriptions.ts'
import { enrichmentSettings } from './enrichment/settings/enrichment-settings.ts'
import { suggestionRoutes } from './enrichment/suggestions/suggestions.routes.ts'
import * as events from './marketing.events.ts'
import { marketingReferences } from './marketing.references.ts'
import { marketingTables } from './marketing.tables.ts'

export const marketing: Module = {
  name: 'marketing',
  purpose: 'Segments, campaigns and enrichment of leads, contacts and accounts.',
  uses: ['identity', 'crm'],
  routes: (services) => async (app) => {
    await app.register(enrichmentSettingsRoutes(services))
    await app.register(enrichmentJobRoutes(services))
    await app.register(suggestionRoutes(services))
  },
  tables: marketingTables,
  events: Object.values(events),
  subscriptions: [onEnrichmentSettingsUpdated, onLeadsCreated],
  jobs: (services) => [dispatchEnrichmentHandler(services)],
  settings: [enrichmentSettings],
  erasures: enrichmentErasures,
  integrityChecks: (services) => enrichmentChecks(services),
  sampleData: (services) => [enrichmentSample(services)],
  eventPresenters: enrichmentPresenters,
  mergeReferences: marketingReferences,
  extensions: [extend(leadBulkActionPoint, [enrichLeadsAction])],
}
