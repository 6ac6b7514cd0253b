import { coachingSessionCompleted, roleplayFinished } from '#events/coaching'
import {
  opportunityCreated,
  opportunityDeleted,
  opportunityLost,
  opportunityReopened,
  opportunityRestored,
  opportunityStageChanged,
  opportunityUpdated,
  opportunityWon,
} from '#events/crm'
import {
  expertRequestAnswered,
  expertRequestBreached,
  expertRequestCreated,
  expertRequestUpdated,
} from '#events/experts'
import { enrollmentCompleted, enrollmentCreated, enrollmentFailed, enrollmentWithdrawn } from '#events/learning'
import {
  contentArchived,
  contentDeleted,
  contentPublished,
  contentReviewed,
  contentUnpublished,
  contentUpdated,
} from '#events/library'
import { pitchReviewed, pitchSubmitted } from '#events/pitches'
import { roomCreated, roomItemAdded } from '#events/rooms'
import { retryOnContention } from '#platform/db'
import { defineFrequentTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { insertInsightMark, listTenantsToRefresh } from './influences.queries.ts'
import { refreshInsights } from './refresh-insights.service.ts'

/** Views and searches cause no events; workspaces with new views are found by the views. */
export const onInsightsChanged = subscribe(
  [
    opportunityCreated,
    opportunityUpdated,
    opportunityDeleted,
    opportunityRestored,
    opportunityStageChanged,
    opportunityWon,
    opportunityLost,
    opportunityReopened,
    contentPublished,
    contentUnpublished,
    contentUpdated,
    contentArchived,
    contentDeleted,
    contentReviewed,
    roomCreated,
    roomItemAdded,
    enrollmentCreated,
    enrollmentCompleted,
    enrollmentFailed,
    enrollmentWithdrawn,
    coachingSessionCompleted,
    roleplayFinished,
    pitchSubmitted,
    pitchReviewed,
    expertRequestCreated,
    expertRequestAnswered,
    expertRequestBreached,
    expertRequestUpdated,
  ],
  'enablement.mark_insights',
  (tx) => insertInsightMark(tx),
)

export const refreshInsightsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineFrequentTenantSchedule('enablement.refresh_insights', '*/15 * * * *', {
    listTenants: listTenantsToRefresh,
    runForTenant: ({ inTenant, signal }) =>
      retryOnContention(() => inTenant((tx) => refreshInsights(tx, clock.now())), signal),
  })
