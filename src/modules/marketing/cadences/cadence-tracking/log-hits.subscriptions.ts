import { logActivity } from '#modules/crm'
import { systemActor } from '#platform/access'
import { systemClock } from '#platform/clock'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { AppError } from '#platform/errors'
import { subscribe } from '#platform/outbox'
import { emailClicked, emailOpened } from '../../marketing.events.ts'
import { findPersonOfRun } from './tracking.queries.ts'

type Hit = { runId: string; type: 'email_clicked' | 'email_opened'; at: Date }

/** Logs the activity after the commit, because persons come before runs in the lock order. */
async function logHit(tx: TenantTx, { runId, type, at }: Hit): Promise<void> {
  const person = await findPersonOfRun(tx, runId)
  if (!person) return
  const { lead_id, contact_id, cadence_name } = person
  try {
    await logActivity(
      tx,
      systemActor(tenantIdOf(tx)),
      lead_id ? { kind: 'lead', id: lead_id } : { kind: 'contact', id: contact_id! },
      {
        type,
        subject: `${type === 'email_clicked' ? 'Clicked a link in' : 'Opened'} an email of "${cadence_name}"`.slice(
          0,
          200,
        ),
        occurred_at: at.toISOString(),
        source: 'cadence',
        external_id: `${type}:${runId}`,
      },
      { clock: systemClock },
    )
  } catch (error) {
    if (!(error instanceof AppError && error.status === 404)) throw error
  }
}

export const onEmailClicked = subscribe(
  emailClicked,
  'marketing.log_email_clicks',
  (tx, { subject: { id }, occurred_at }) => logHit(tx, { runId: id, type: 'email_clicked', at: occurred_at }),
)
export const onEmailOpened = subscribe(
  emailOpened,
  'marketing.log_email_opens',
  (tx, { subject: { id }, occurred_at }) => logHit(tx, { runId: id, type: 'email_opened', at: occurred_at }),
)
