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
import { retryOnContention } from '#platform/db'
import { defineFrequentTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { coachingSessionCompleted, roleplayFinished } from '../coaching.events.ts'
import {
  expertRequestAnswered,
  expertRequestBreached,
  expertRequestCreated,
  expertRequestUpdated,
} from '../experts.events.ts'
import { enrollmentCompleted, enrollmentCreated, enrollmentFailed, enrollmentWithdrawn } from '../learning.events.ts'
import {
  contentArchived,
  contentDeleted,
  contentPublished,
  contentReviewed,
  contentUnpublished,
  contentUpdated,
} from '../library.events.ts'
import { pitchReviewed, pitchSubmitted } from '../pitches.events.ts'
import { roomCreated, roomItemAdded } from '../rooms.events.ts'
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
