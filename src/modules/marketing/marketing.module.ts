import { fieldUsePoint } from '#modules/crm'
import { extend, type Module } from '#platform/module'
import * as events from './marketing.events.ts'
import { marketingReferences } from './marketing.references.ts'
import { marketingTables } from './marketing.tables.ts'
import { marketingSample } from './sample-data/marketing-sample.ts'
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
  },
  tables: marketingTables,
  events: Object.values(events),
  subscriptions: segmentSubscriptions,
  jobs: (services) => [
    snapshotHandler(services),
    enrollSegmentHandler(services),
    runFlowHandler(services),
    reviewSegmentsHandler(services),
  ],
  schedules: (services) => [runFlowsSchedule(services)],
  erasures: [segmentErasure],
  integrityChecks: segmentChecks,
  sampleData: (services) => [marketingSample(services)],
  ruleFacts: [segmentFact],
  mergeReferences: marketingReferences,
  eventPresenters: [segmentPresenter],
  extensions: [extend(fieldUsePoint, [{ name: 'segments', listIds: listSegmentIdsUsingField }])],
}
