import { profilePartPoint } from '#modules/identity'
import { extend, type Module } from '#platform/module'
import { attributeDealsSchedule } from './attribution/attribution.jobs.ts'
import { attributionRoutes } from './attribution/attribution.routes.ts'
import { attributionSubscriptions } from './attribution/attribution.subscriptions.ts'
import { addMembersHandler } from './campaign-members/add-members.jobs.ts'
import { updateMemberStatusHandler } from './campaign-members/bulk-status.jobs.ts'
import { memberErasure } from './campaign-members/members.erasure.ts'
import { memberRoutes } from './campaign-members/members.routes.ts'
import { personChangeSubscriptions } from './campaign-members/person-changes.subscriptions.ts'
import { onLeadsCreated } from './campaign-members/utm.subscriptions.ts'
import { campaignCountersCheck } from './campaigns/campaign-counters.check.ts'
import { campaignFact } from './campaigns/campaign-fact.queries.ts'
import { campaignPresenter } from './campaigns/campaign-presenter.ts'
import { campaignProfilePart } from './campaigns/campaign-profile.ts'
import {
  advanceCampaignsSchedule,
  checkCampaignsSchedule,
  foldCampaignCountsSchedule,
} from './campaigns/campaign-schedules.jobs.ts'
import { campaignTarget } from './campaigns/campaign-target.ts'
import { campaignRoutes } from './campaigns/campaigns.routes.ts'
import * as events from './marketing.events.ts'
import { marketingReferences } from './marketing.references.ts'
import { marketingTables } from './marketing.tables.ts'
import { campaignSample } from './sample-data/campaign-sample.ts'
import { enrollTargetPoint } from './segments/enroll-target.ts'

export const marketing: Module = {
  name: 'marketing',
  purpose: 'Segments, campaigns and enrichment of leads, contacts and accounts.',
  uses: ['identity', 'crm'],
  routes: (services) => async (app) => {
    await app.register(campaignRoutes(services))
    await app.register(memberRoutes(services))
    await app.register(attributionRoutes(services))
  },
  tables: marketingTables,
  events: Object.values(events),
  subscriptions: [onLeadsCreated, ...personChangeSubscriptions, ...attributionSubscriptions],
  jobs: (services) => [addMembersHandler(services), updateMemberStatusHandler(services)],
  schedules: (services) => [
    advanceCampaignsSchedule(services),
    foldCampaignCountsSchedule,
    checkCampaignsSchedule,
    attributeDealsSchedule(services),
  ],
  erasures: [memberErasure],
  integrityChecks: () => [campaignCountersCheck],
  sampleData: () => [campaignSample],
  ruleFacts: [campaignFact],
  mergeReferences: marketingReferences,
  eventPresenters: [campaignPresenter],
  extensions: [extend(enrollTargetPoint, [campaignTarget]), extend(profilePartPoint, [campaignProfilePart])],
}
