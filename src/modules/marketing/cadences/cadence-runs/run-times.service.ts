import { listOutreachPersons, type OutreachPerson, readCrmSettings } from '#modules/crm'
import { timezoneOf } from '#modules/identity'
import { isTimeZone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { listSenderSettings, type SenderSettings } from '../cadence-records/senders.queries.ts'
import type { RunTimes } from './plan.rules.ts'

export type RunContext = {
  /** Time zone of the workspace, in which the days of the email limits begin. */
  timezone: string
  persons: ReadonlyMap<string, OutreachPerson>
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
