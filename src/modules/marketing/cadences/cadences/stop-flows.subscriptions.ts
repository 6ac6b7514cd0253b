import { type Subscription, subscribe } from '#platform/outbox'
import { cadenceStatusChanged } from '../../marketing.events.ts'
import { stopFlowsInto } from '../../segments/segment-flows/segment-flows.service.ts'

export const onCadenceArchived: Subscription = subscribe(
  cadenceStatusChanged,
  'marketing.stop_flows_into_cadences',
  async (tx, { subject: { id }, data: { to } }) => {
    if (to === 'archived') await stopFlowsInto(tx, { type: 'cadence', id, reason: 'The cadence was archived.' })
  },
  { inTransaction: true },
)
