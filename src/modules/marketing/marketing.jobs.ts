import type { Services } from '#platform/module'
import { checkCadencesSchedule } from './cadences/cadence-checks/check-cadences.jobs.ts'
import { enrollPersonsHandler } from './cadences/cadence-enrollments/enroll.jobs.ts'
import { reassignSenderHandler } from './cadences/cadence-enrollments/reassign.jobs.ts'
import { runCadencesSchedule } from './cadences/cadence-sending/run-cadences.jobs.ts'
import { pauseSenderHandler, resumeSenderHandler } from './cadences/cadence-sending/sender-status.jobs.ts'
import { sendTestEmailHandler } from './cadences/cadence-templates/send-test-email.jobs.ts'
import { closeRemovedTasksHandler, updateLiveEnrollmentsHandler } from './cadences/cadences/live-enrollments.jobs.ts'
import {
  attributeDealsSchedule,
  markOpenDealsHandler,
  refreshTouchesSchedule,
} from './campaigns/attribution/mark-deals.jobs.ts'
import { addMembersHandler } from './campaigns/campaign-members/add-members.jobs.ts'
import { updateMemberStatusHandler } from './campaigns/campaign-members/bulk-status.jobs.ts'
import { checkCampaignsSchedule } from './campaigns/campaign-members/check-campaigns.jobs.ts'
import { removeMembersHandler } from './campaigns/campaign-members/remove-members.jobs.ts'
import { advanceCampaignsSchedule, foldCampaignCountsSchedule } from './campaigns/campaigns/campaign-schedules.jobs.ts'
import { dispatchEnrichmentHandler } from './enrichment/jobs/dispatch-enrichment.jobs.ts'
import { enrollSegmentHandler } from './segments/continuous-enrollment/enroll.jobs.ts'
import { runFlowHandler, runFlowsSchedule } from './segments/continuous-enrollment/run-flows.jobs.ts'
import { countSegmentsSchedule } from './segments/segment-counts/segment-counts.jobs.ts'
import { reviewCampaignSegmentsHandler, reviewSegmentsHandler } from './segments/segments/review-segments.jobs.ts'
import { snapshotHandler } from './segments/segments/snapshot.jobs.ts'

export const marketingJobs = (services: Services) => [
  snapshotHandler(services),
  enrollSegmentHandler(services),
  runFlowHandler(services),
  reviewSegmentsHandler(services),
  reviewCampaignSegmentsHandler(services),
  markOpenDealsHandler,
  addMembersHandler(services),
  updateMemberStatusHandler(services),
  removeMembersHandler(services),
  enrollPersonsHandler(services),
  updateLiveEnrollmentsHandler(services),
  closeRemovedTasksHandler(services),
  dispatchEnrichmentHandler(services),
  pauseSenderHandler(services),
  resumeSenderHandler(services),
  reassignSenderHandler(services),
  sendTestEmailHandler(services),
]

export const marketingSchedules = (services: Services) => [
  runFlowsSchedule(services),
  countSegmentsSchedule(services),
  advanceCampaignsSchedule(services),
  foldCampaignCountsSchedule,
  checkCampaignsSchedule(services),
  checkCadencesSchedule(services),
  refreshTouchesSchedule,
  attributeDealsSchedule(services),
  runCadencesSchedule(services),
]
