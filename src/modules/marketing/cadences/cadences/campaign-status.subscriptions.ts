import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import { type Subscription, subscribe, subscribeInTransaction } from '#platform/outbox'
import { cadenceStatusChanged, campaignStatusChanged } from '../../marketing.events.ts'
import { stopFlowsInto } from '../../segments/continuous-enrollment/segment-flows.service.ts'
import { changeCadenceStatuses } from '../cadence-records/cadence-status.service.ts'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import { missingForActivation } from './cadence.rules.ts'
import { readReadiness } from './cadence-details.service.ts'
import { lockCadencesOfCampaigns } from './cadences.queries.ts'
import { updateLiveEnrollments } from './live-enrollments-job.ts'

const stoppedStatuses = ['paused', 'completed', 'cancelled']

/** Active cadences pause with their campaign, and only those continue when it is active again. */
export const onCampaignStatusChanged = subscribeInTransaction(
  campaignStatusChanged,
  'marketing.pause_cadences_of_campaigns',
  async (tx, events) => {
    const idsOf = (...statuses: string[]) =>
      new Set(events.filter(({ data }) => statuses.includes(data.to)).map(({ subject }) => subject.id))
    const [stopped, started] = [idsOf(...stoppedStatuses), idsOf('active')]
    const cadences = await lockCadencesOfCampaigns(tx, [...stopped, ...started])
    const isOf = (ids: ReadonlySet<string>, { campaign_id }: CadenceRow) => campaign_id !== null && ids.has(campaign_id)
    const pausing = cadences.filter((cadence) => cadence.status === 'active' && isOf(stopped, cadence))
    const resuming = cadences.filter((cadence) => cadence.paused_reason === 'campaign' && isOf(started, cadence))
    await changeCadenceStatuses(tx, pausing, { status: 'paused', paused_reason: 'campaign' })
    if (resuming.length) await resumeCadences(tx, resuming)
  },
)

/** A cadence that is not ready any more stays paused. */
async function resumeCadences(tx: TenantTx, cadences: readonly CadenceRow[]): Promise<void> {
  const readiness = await readReadiness(
    tx,
    cadences.map(({ id }) => id),
  )
  const ready = cadences.filter(({ id }) => !missingForActivation(readiness.get(id)!).length)
  await changeCadenceStatuses(tx, ready, { status: 'active', paused_reason: null })
  for (const { id } of ready)
    await enqueue(tx, updateLiveEnrollments, { cadence_id: id, change: 'plan', after: nilUuid })
}

export const onCadenceArchived: Subscription = subscribe(
  cadenceStatusChanged,
  'marketing.stop_flows_into_cadences',
  async (tx, { subject: { id }, data: { to } }) => {
    if (to === 'archived') await stopFlowsInto(tx, { type: 'cadence', id, reason: 'The cadence was archived.' })
  },
  { inTransaction: true },
)
