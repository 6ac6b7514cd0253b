import { endedEnrollmentsPoint, fieldUsePoint, importTargetPoint } from '#modules/crm'
import { emailKindPoint } from '#modules/email'
import { capabilityPoint, homePartPoint, profilePartPoint, searchSourcePoint } from '#modules/identity'
import { extend, type Module } from '#platform/module'
import { cadenceChecks } from './cadences/cadence-checks/cadence.checks.ts'
import { cadenceTarget } from './cadences/cadence-enrollments/cadence-target.ts'
import { enrollmentErasure } from './cadences/cadence-enrollments/enrollments.erasures.ts'
import { cadenceEnrollmentRoutes } from './cadences/cadence-enrollments/enrollments.routes.ts'
import { countEnrollmentsEndedByMerge } from './cadences/cadence-enrollments/person-changes.service.ts'
import {
  enrolledPersonSubscriptions,
  onPersonsEnrolled,
} from './cadences/cadence-enrollments/person-changes.subscriptions.ts'
import { sentStepSubscriptions } from './cadences/cadence-restore/sent-steps.subscriptions.ts'
import { cadenceSenderRoutes } from './cadences/cadence-senders/senders.routes.ts'
import { cadenceEmails } from './cadences/cadence-sending/cadence-email.ts'
import { emailResultSubscriptions } from './cadences/cadence-sending/email-results.subscriptions.ts'
import { runReactionSubscriptions } from './cadences/cadence-sending/run-reactions.subscriptions.ts'
import { stepTaskRoutes } from './cadences/cadence-tasks/step-tasks.routes.ts'
import { cadenceTemplateRoutes } from './cadences/cadence-templates/cadence-templates.routes.ts'
import { onEmailClicked, onEmailOpened } from './cadences/cadence-tracking/log-hits.subscriptions.ts'
import { trackingRoutes } from './cadences/cadence-tracking/tracking.public.routes.ts'
import { cadenceRoutes } from './cadences/cadences/cadences.routes.ts'
import { onCadenceArchived, onCampaignStatusChanged } from './cadences/cadences/campaign-status.subscriptions.ts'
import { attributionRoutes } from './campaigns/attribution/attribution.routes.ts'
import { attributionSubscriptions } from './campaigns/attribution/attribution.subscriptions.ts'
import { onAttributionSettingsChanged } from './campaigns/attribution/mark-deals.jobs.ts'
import { campaignImportTarget, campaignTarget } from './campaigns/campaign-members/campaign-target.ts'
import { memberErasure } from './campaigns/campaign-members/members.erasures.ts'
import { memberRoutes } from './campaigns/campaign-members/members.routes.ts'
import { personChangeSubscriptions } from './campaigns/campaign-members/person-changes.subscriptions.ts'
import { onLeadsWithUtmCreated } from './campaigns/campaign-members/utm.subscriptions.ts'
import { onCurrencyChanged } from './campaigns/campaigns/campaign-currency.subscriptions.ts'
import { campaignFact } from './campaigns/campaigns/campaign-fact.queries.ts'
import { campaignProfilePart } from './campaigns/campaigns/campaign-profile.ts'
import { campaignCountersCheck } from './campaigns/campaigns/campaigns.checks.ts'
import { campaignRoutes } from './campaigns/campaigns/campaigns.routes.ts'
import { enrichmentChecks } from './enrichment/enrichment.checks.ts'
import { enrichmentErasures } from './enrichment/enrichment.erasures.ts'
import { onLeadsCreated } from './enrichment/jobs/enrich-many.service.ts'
import { enrichmentJobRoutes } from './enrichment/jobs/enrichment-jobs.routes.ts'
import { enrichmentSample } from './enrichment/sample-data/enrichment-sample.ts'
import { enrichmentSettingsRoutes } from './enrichment/settings/enrichment-settings.routes.ts'
import { enrichmentCapability } from './enrichment/settings/enrichment-settings.service.ts'
import { onEnrichmentSettingsUpdated } from './enrichment/settings/enrichment-settings.subscriptions.ts'
import { enrichmentSettings } from './enrichment/settings/enrichment-settings.ts'
import { suggestionRoutes } from './enrichment/suggestions/suggestions.routes.ts'
import { marketingHomeParts } from './home/home-parts.ts'
import { marketingBulkActions } from './marketing.bulk-actions.ts'
import { marketingErrors } from './marketing.errors.ts'
import * as events from './marketing.events.ts'
import { marketingJobs, marketingSchedules } from './marketing.jobs.ts'
import { marketingPresenters } from './marketing.presenters.ts'
import { marketingReferences } from './marketing.references.ts'
import { marketingTables } from './marketing.tables.ts'
import { marketingSearchSources } from './record-search/search-sources.ts'
import { cadenceSample } from './sample-data/cadence-sample.ts'
import { campaignSample } from './sample-data/campaign-sample.ts'
import { segmentSample } from './sample-data/sample-segments.ts'
import { segmentFlowRoutes } from './segments/continuous-enrollment/segment-flows.routes.ts'
import { onCampaignDeleted } from './segments/continuous-enrollment/segment-flows.subscriptions.ts'
import { ruleFieldRoutes } from './segments/rule-fields/rule-fields.routes.ts'
import { segmentErasure, segmentTextErasure } from './segments/segment-members/segment-members.erasures.ts'
import { segmentMemberRoutes } from './segments/segment-members/segment-members.routes.ts'
import { segmentPreviewRoutes } from './segments/segment-preview/segment-preview.routes.ts'
import { enrollTargetPoint } from './segments/segments/enroll-target.ts'
import { segmentSubscriptions } from './segments/segments/review-segments.jobs.ts'
import { listSegmentIdsUsingField } from './segments/segments/review-segments.service.ts'
import { segmentChecks } from './segments/segments/segment.checks.ts'
import { segmentFact } from './segments/segments/segment-fact.queries.ts'
import { segmentRoutes } from './segments/segments/segments.routes.ts'

export const marketing: Module = {
  name: 'marketing',
  purpose: 'Segments, campaigns and cadences, and enrichment of leads, contacts and accounts.',
  uses: ['identity', 'crm', 'email'],
  schema: 'marketing',
  routes: (services) => async (app) => {
    await app.register(segmentRoutes(services))
    await app.register(ruleFieldRoutes(services))
    await app.register(segmentPreviewRoutes(services))
    await app.register(segmentMemberRoutes(services))
    await app.register(segmentFlowRoutes(services))
    await app.register(campaignRoutes(services))
    await app.register(memberRoutes(services))
    await app.register(trackingRoutes(services))
    await app.register(attributionRoutes(services))
    await app.register(cadenceRoutes(services))
    await app.register(cadenceSenderRoutes(services))
    await app.register(cadenceTemplateRoutes)
    await app.register(cadenceEnrollmentRoutes(services))
    await app.register(enrichmentSettingsRoutes(services))
    await app.register(enrichmentJobRoutes(services))
    await app.register(suggestionRoutes(services))
    await app.register(stepTaskRoutes(services))
  },
  tables: marketingTables,
  errors: marketingErrors,
  events: Object.values(events),
  subscriptions: [
    ...segmentSubscriptions,
    onCampaignDeleted,
    onCurrencyChanged,
    onAttributionSettingsChanged,
    onLeadsWithUtmCreated,
    ...personChangeSubscriptions,
    ...enrolledPersonSubscriptions,
    ...attributionSubscriptions,
    onPersonsEnrolled,
    onCadenceArchived,
    onCampaignStatusChanged,
    onEmailClicked,
    onEmailOpened,
    onEnrichmentSettingsUpdated,
    onLeadsCreated,
    ...emailResultSubscriptions,
    ...runReactionSubscriptions,
    ...sentStepSubscriptions,
  ],
  jobs: marketingJobs,
  schedules: marketingSchedules,
  settings: [enrichmentSettings],
  erasures: [segmentErasure, segmentTextErasure, memberErasure, enrollmentErasure, ...enrichmentErasures],
  integrityChecks: (services) => [
    ...segmentChecks(services),
    campaignCountersCheck,
    ...cadenceChecks(services),
    ...enrichmentChecks(services),
  ],
  sampleData: (services) => [cadenceSample, campaignSample, enrichmentSample(services), segmentSample(services)],
  ruleFacts: [segmentFact, campaignFact],
  mergeReferences: marketingReferences,
  eventPresenters: marketingPresenters,
  extensions: [
    extend(fieldUsePoint, [{ name: 'segments', listIds: listSegmentIdsUsingField }]),
    extend(enrollTargetPoint, [campaignTarget, cadenceTarget]),
    extend(importTargetPoint, [campaignImportTarget]),
    ...marketingBulkActions,
    extend(emailKindPoint, [cadenceEmails]),
    extend(endedEnrollmentsPoint, [countEnrollmentsEndedByMerge]),
    extend(profilePartPoint, [campaignProfilePart]),
    extend(homePartPoint, marketingHomeParts),
    extend(searchSourcePoint, marketingSearchSources),
    extend(capabilityPoint, [enrichmentCapability]),
  ],
}
