import {
  coachingSessionCompleted,
  coachingSessionUpdated,
  roleplayFinished,
  scenarioArchived,
  scenarioPublished,
} from '#events/coaching'
import {
  settingsUpdated,
  teamDeleted,
  teamMemberAdded,
  teamMemberRemoved,
  userActivated,
  userCreated,
  userReactivated,
  userRoleChanged,
} from '#events/identity'
import {
  certificateExpired,
  certificateIssued,
  certificateRevoked,
  enrollmentCompleted,
  enrollmentCreated,
  enrollmentFailed,
  enrollmentProgressed,
  enrollmentReviewed,
  enrollmentUpdated,
  enrollmentWithdrawn,
  pathDeleted,
} from '#events/learning'
import {
  contentArchived,
  contentDeleted,
  contentFileRemoved,
  contentPublished,
  contentUnpublished,
  contentUpdated,
  contentVersionAdded,
} from '#events/library'
import {
  pitchDeleted,
  pitchEvaluated,
  pitchReturned,
  pitchReviewed,
  pitchSubmitted,
  promptActivated,
  promptArchived,
  promptAssigned,
  promptDeleted,
} from '#events/pitches'
import { roomItemAdded, roomItemRemoved } from '#events/rooms'
import { listRepIds } from '#modules/coaching'
import { listReaderIds, listTenantsToRecount } from '#modules/library'
import { listAssigneeIds } from '#modules/pitches'
import { secondsLater } from '#platform/clock'
import { retryOnContention, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import {
  defineFrequentTenantSchedule,
  defineJob,
  defineJobHandler,
  defineTenantSchedule,
  enqueue,
} from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { endRenewals, listTenantsToRenew, listTenantsWithMarks, markUsers } from './readiness.queries.ts'
import { isReadingChange } from './readiness.rules.ts'
import {
  markSellersAfter,
  readerSeconds,
  recomputeMarked,
  recomputeSellersAfter,
} from './recompute-readiness.service.ts'

type Clock = Pick<Services, 'clock'>

export const recomputeReadinessSchedule = ({ clock }: Clock) =>
  defineFrequentTenantSchedule('enablement.recompute_readiness', '* * * * *', {
    listTenants: listTenantsWithMarks,
    async runForTenant({ inTenant, signal }) {
      let hasMore: boolean
      do {
        signal.throwIfAborted()
        hasMore = await retryOnContention(() => inTenant((tx) => recomputeMarked(tx, clock.now())), signal)
      } while (hasMore)
    },
  })

/** Periods move on and due dates pass at midnight, also for users who do nothing. */
export const recomputeAllReadinessSchedule = ({ clock }: Clock) =>
  defineFrequentTenantSchedule('enablement.recompute_all_readiness', '*/5 * * * *', {
    listTenants: (tx) => listTenantsToRenew(tx, clock.now()),
    async runForTenant({ inTenant, signal }) {
      const startedAt = clock.now()
      const recompute = (after: string) =>
        retryOnContention(() => inTenant((tx) => recomputeSellersAfter(tx, after, clock.now())), signal)
      for (let after: string | undefined = nilUuid; after !== undefined; after = await recompute(after))
        signal.throwIfAborted()
      await retryOnContention(() => inTenant((tx) => endRenewals(tx, startedAt)), signal)
    },
  })

/** Heartbeats are too many for marks of their own. */
export const markReadersSchedule = ({ clock }: Clock) =>
  defineTenantSchedule('enablement.mark_readers', '11 * * * *', {
    listTenants: (tx) => listTenantsToRecount(tx, secondsLater(clock.now(), -readerSeconds)),
    runForTenant: ({ inTenant }) =>
      inTenant(async (tx) => markUsers(tx, await listReaderIds(tx, secondsLater(clock.now(), -readerSeconds)))),
  })

const markSellersJob = defineJob('enablement.mark_sellers', 'events', strict({}))
const markSellersLater = (tx: TenantTx) => enqueue(tx, markSellersJob, {}, { singletonKey: 'all' })

export const markSellersHandler = defineJobHandler(markSellersJob, async ({ inTenant, signal }) => {
  const mark = (after: string) => inTenant((tx) => markSellersAfter(tx, after))
  for (let after: string | undefined = nilUuid; after !== undefined; after = await mark(after)) signal.throwIfAborted()
})

/** Marks with the change itself, so that the next read shows it. */
const inTransaction = { inTransaction: true }

const onSessionChanged = subscribe(
  [coachingSessionCompleted, coachingSessionUpdated, roleplayFinished],
  'enablement.mark_readiness_of_rep',
  async (tx, { subject }) => markUsers(tx, await listRepIds(tx, subject.id)),
  inTransaction,
)

const onPitchChanged = subscribe(
  [pitchSubmitted, pitchEvaluated, pitchReviewed, pitchReturned, pitchDeleted],
  'enablement.mark_readiness_of_author',
  (tx, { data }) => markUsers(tx, [data.user_id]),
  inTransaction,
)

const onEnrollmentChanged = subscribe(
  [
    enrollmentCreated,
    enrollmentUpdated,
    enrollmentProgressed,
    enrollmentCompleted,
    enrollmentFailed,
    enrollmentReviewed,
    enrollmentWithdrawn,
  ],
  'enablement.mark_readiness_of_learner',
  (tx, { data }) => markUsers(tx, [data.user_id]),
  inTransaction,
)

const onCertificateChanged = subscribe(
  [certificateIssued, certificateExpired, certificateRevoked],
  'enablement.mark_readiness_of_holder',
  (tx, { data }) => markUsers(tx, data.user_id ? [data.user_id] : []),
  inTransaction,
)

const onPromptChanged = subscribe(
  [promptAssigned, promptActivated, promptArchived, promptDeleted],
  'enablement.mark_readiness_of_assignees',
  async (tx, { subject }) => markUsers(tx, await listAssigneeIds(tx, subject.id)),
)

const onItemShared = subscribe(
  [roomItemAdded, roomItemRemoved],
  'enablement.mark_readiness_of_sharer',
  (tx, { actor }) => markUsers(tx, actor.type === 'user' && actor.id ? [actor.id] : []),
  inTransaction,
)

const onUserChanged = subscribe(
  [userCreated, userActivated, userReactivated, userRoleChanged],
  'enablement.mark_readiness_of_user',
  (tx, { subject }) => markUsers(tx, [subject.id]),
  inTransaction,
)

/** Required reading depends on the teams of the user. */
const onMembershipChanged = subscribe(
  [teamMemberAdded, teamMemberRemoved],
  'enablement.mark_readiness_of_member',
  (tx, { data }) => markUsers(tx, [data.user_id]),
  inTransaction,
)

/** Scenarios, paths, content and its audience concern many sellers. */
const onOfferChanged = subscribe(
  [
    scenarioPublished,
    scenarioArchived,
    contentPublished,
    contentUnpublished,
    contentArchived,
    contentDeleted,
    contentVersionAdded,
    contentFileRemoved,
    pathDeleted,
    teamDeleted,
  ],
  'enablement.mark_sellers',
  (tx) => markSellersLater(tx),
)

const onContentUpdated = subscribe(contentUpdated, 'enablement.mark_sellers_after_content', async (tx, { data }) => {
  if (isReadingChange(data.changed)) await markSellersLater(tx)
})

const onReadinessSettingsChanged = subscribe(
  settingsUpdated,
  'enablement.mark_sellers_after_settings',
  async (tx, { data: { section, changed } }) => {
    const isTimezone = section === 'general' && changed.includes('timezone')
    if (section === 'enablement' || isTimezone) await markSellersLater(tx)
  },
)

export const readinessSubscriptions = [
  onSessionChanged,
  onEnrollmentChanged,
  onCertificateChanged,
  onPitchChanged,
  onPromptChanged,
  onItemShared,
  onUserChanged,
  onMembershipChanged,
  onOfferChanged,
  onContentUpdated,
  onReadinessSettingsChanged,
]
