import { listOutreachPersons, readCrmSettings } from '#modules/crm'
import { listEmailsSentTo } from '#modules/email'
import { timezoneOf } from '#modules/identity'
import { isTimeZone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { listRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { listSenderSettings, type SenderSettings } from '../cadence-records/senders.queries.ts'
import { cadenceEmailKind } from './cadence-email-kind.ts'
import type { RunTimes } from './plan.rules.ts'

export type RunContext = {
  /** Time zone of the workspace, in which the days of the email limits begin. */
  timezone: string
  persons: Awaited<ReturnType<typeof listOutreachPersons>>
  senders: ReadonlyMap<string, SenderSettings>
  timesOf(cadence: CadenceRow, enrollment: EnrollmentRow): RunTimes
}

export const personIdOf = ({ lead_id, contact_id }: Pick<EnrollmentRow, 'lead_id' | 'contact_id'>): string =>
  lead_id ?? contact_id!

/** Reads what decides about the times of runs: persons, senders, holidays and time zones. */
export async function readRunContext(
  tx: TenantTx,
  enrollments: readonly Pick<EnrollmentRow, 'lead_id' | 'contact_id' | 'sender_id'>[],
): Promise<RunContext> {
  const [timezone, { sla }, persons, settings] = await Promise.all([
    timezoneOf(tx),
    readCrmSettings(tx),
    listOutreachPersons(tx, {
      leadIds: enrollments.flatMap(({ lead_id }) => lead_id ?? []),
      contactIds: enrollments.flatMap(({ contact_id }) => contact_id ?? []),
    }),
    listSenderSettings(tx, [...new Set(enrollments.flatMap(({ sender_id }) => sender_id ?? []))]),
  ])
  const senders = new Map(settings.map((sender) => [sender.user_id, sender]))
  const { holidays } = sla.business_hours
  const zoneOf = (cadence: CadenceRow, enrollment: EnrollmentRow): string => {
    const ofPerson = cadence.timezone_mode === 'person' ? persons.get(personIdOf(enrollment))?.timezone : undefined
    const zone = ofPerson ?? cadence.timezone
    return zone && isTimeZone(zone) ? zone : timezone
  }
  const timesOf = (cadence: CadenceRow, enrollment: EnrollmentRow): RunTimes => {
    const { away_from: from, away_to: to } = senders.get(enrollment.sender_id ?? '') ?? {
      away_from: null,
      away_to: null,
    }
    const away = from && to ? { from, to } : null
    return { window: cadence.run_window, timezone: zoneOf(cadence, enrollment), holidays, away }
  }
  return { timezone, persons, senders, timesOf }
}

export type SentStep = Pick<RunRow, 'enrollment_id' | 'step_id' | 'bounced_at'> & { email_key: string; sent_at: Date }

export async function listSentSteps(tx: TenantTx, emailKeys: readonly string[]): Promise<SentStep[]> {
  const emails = await listEmailsSentTo(tx, cadenceEmailKind, emailKeys)
  const runs = await listRuns(
    tx,
    emails.map(({ id }) => id),
  )
  const emailById = new Map(emails.map((email) => [email.id, email]))
  return runs.map(({ id, enrollment_id, step_id, bounced_at, done_at, run_at }) => {
    const { to_key, sent_at } = emailById.get(id)!
    return { enrollment_id, step_id, bounced_at, email_key: to_key, sent_at: sent_at ?? done_at ?? run_at }
  })
}
