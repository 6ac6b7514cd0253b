import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notify } from '#platform/notify'
import { emit } from '#platform/outbox'
import { cadenceAutoPaused } from '../../marketing.events.ts'
import { changeCadenceStatuses } from '../cadence-records/cadence-status.service.ts'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import { cadencePausedByBounces, listRecipients } from '../cadence-runs/cadence-notifications.ts'
import { countRecentEmails } from './auto-pause.queries.ts'
import { areTooManyBounces } from './auto-pause.rules.ts'

/** Pauses a locked cadence if too many of its emails within the last 24 hours bounced. */
export async function pauseBouncingCadence(tx: TenantTx, cadence: CadenceRow, now: Date): Promise<void> {
  if (cadence.status !== 'active') return
  const { sent, bounced } = await countRecentEmails(tx, cadence.id, daysLater(now, -1))
  if (!areTooManyBounces(sent, bounced)) return

  const [paused] = await changeCadenceStatuses(tx, [cadence], { status: 'paused', paused_reason: 'bounces' })
  await emit(tx, cadenceAutoPaused, paused!, { sent, bounced })
  const payload = { cadence_id: cadence.id, cadence_name: cadence.name, sent, bounced }
  for (const userId of await listRecipients(tx, [cadence.owner_id]))
    await notify(tx, userId, cadencePausedByBounces, payload, { resource: { type: 'cadence', id: cadence.id } })
}
