import { fieldUsePoint, leadBulkActionPoint } from '#modules/crm'
import { extend, type Module } from '#platform/module'
import { enrichmentChecks } from './enrichment/enrichment.checks.ts'
import { enrichmentErasures } from './enrichment/enrichment.erasures.ts'
import { enrichmentPresenters } from './enrichment/enrichment.presenters.ts'
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
import { segmentSample } from './sample-data/segment-sample.ts'
import { enrollSegmentHandler } from './segment-flows/enroll.jobs.ts'
import { runFlowHandler, runFlowsSchedule } from './segment-flows/run-flows.jobs.ts'
import { segmentFlowRoutes } from './segment-flows/segment-flows.routes.ts'
import { segmentErasure } from './segment-members/segment-erasure.ts'
import { segmentMemberRoutes } from './segment-members/segment-members.routes.ts'
import { snapshotHandler } from './segment-members/snapshot.jobs.ts'
import { segmentPreviewRoutes } from './segment-preview/segment-preview.routes.ts'
import { reviewSegmentsHandler, segmentSubscriptions } from './segments/review-segments.jobs.ts'
import { listSegmentIdsUsingField } from './segments/review-segments.service.ts'
import { segmentChecks } from './segments/segment.checks.ts'
import { segmentPresenter } from './segments/segment.presenter.ts'
import { segmentFact } from './segments/segment-fact.queries.ts'
import { segmentRoutes } from './segments/segments.routes.ts'

export const marketing: Module = {
  name: 'marketing',
  purpose: 'Segments, campaigns and enrichment of leads, contacts and accounts.',
  uses: ['identity', 'crm'],
  routes: (services) => async (app) => {
    await app.register(segmentRoutes(services))
    await app.register(segmentPreviewRoutes(services))
    await app.register(segmentMemberRoutes(services))
    await app.register(segmentFlowRoutes(services))
    await app.register(enrichmentSettingsRoutes(services))
    await app.register(enrichmentJobRoutes(services))
    await app.register(suggestionRoutes(services))
  },
  tables: marketingTables,
  events: Object.values(events),
  subscriptions: [...segmentSubscriptions, onEnrichmentSettingsUpdated, onLeadsCreated],
  jobs: (services) => [
    snapshotHandler(services),
    enrollSegmentHandler(services),
    runFlowHandler(services),
    reviewSegmentsHandler(services),
    dispatchEnrichmentHandler(services),
  ],
  schedules: (services) => [runFlowsSchedule(services)],
  settings: [enrichmentSettings],
  erasures: [segmentErasure, ...enrichmentErasures],
  integrityChecks: (services) => [...segmentChecks(services), ...enrichmentChecks(services)],
  sampleData: (services) => [segmentSample(services), enrichmentSample(services)],
  ruleFacts: [segmentFact],
  mergeReferences: marketingReferences,
  eventPresenters: [segmentPresenter, ...enrichmentPresenters],
  extensions: [
    extend(fieldUsePoint, [{ name: 'segments', listIds: listSegmentIdsUsingField }]),
    extend(leadBulkActionPoint, [enrichLeadsAction]),
  ],
}
