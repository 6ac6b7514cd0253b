import { emailSent, emailUncertain } from '#events/email'
import { subscribe } from '#platform/outbox'
import { cadenceExited } from '../../marketing.events.ts'
import { type ExitReason, exitReasons } from '../cadence-records/enrollment-states.rules.ts'
import { cadenceEmailKind } from '../cadence-runs/cadence-email-kind.ts'
import { insertPersonExits, upsertSentSteps } from './sent-steps.queries.ts'

/** In the transaction that stores the result, so that no restore sends an email again that the mail server may have accepted. */
const onEmails = (event: typeof emailSent, consumer: string) =>
  subscribe(
    event,
    `marketing.${consumer}`,
    async (tx, { data: { kind, messages }, occurred_at }) => {
      if (kind !== cadenceEmailKind) return
      const runIds = messages.map(({ id }) => id)
      await upsertSentSteps(tx, runIds, occurred_at)
    },
    { inTransaction: true },
  )

const reasonsOfPersons: readonly ExitReason[] = exitReasons.filter((reason) =>
  ['replied', 'meeting_booked', 'opted_out', 'bounced'].includes(reason),
)

const onPersonExit = subscribe(
  cadenceExited,
  'marketing.store_person_exits',
  async (tx, { data: { enrollments, reason }, occurred_at, origin }) => {
    const exit = reasonsOfPersons.find((one) => one === reason)
    if (!exit || origin === 'sample') return
    const exits = enrollments.map(({ id }) => ({ enrollment_id: id, reason: exit, ended_at: occurred_at }))
    await insertPersonExits(tx, exits)
  },
  { inTransaction: true },
)

export const sentStepSubscriptions = [
  onEmails(emailSent, 'store_sent_steps'),
  onEmails(emailUncertain, 'store_uncertain_steps'),
  onPersonExit,
]
