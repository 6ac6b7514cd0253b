import type { Schemas } from '../../../api/client.ts'
import { cadencePeopleTexts as texts } from '../../../texts/en/cadence-people-texts.ts'
import type { Hue } from '../../../ui/badge.tsx'
import { formatDate, formatTime } from '../../../ui/format.ts'
import { dayNumberOf } from '../../../ui/time-zone.ts'
import type { Cadence } from '../cadence-queries.ts'
import type { CadenceStep } from '../steps/step-model.ts'

export type Enrollment = Schemas['CadenceEnrollment']

type State = keyof typeof texts.states

/** Ended enrollments have the state of what ended them. */
export const stateOf = ({ status, exit_reason }: Enrollment): State =>
  status === 'exited' ? (exit_reason ?? 'removed') : status

const hues: Readonly<Partial<Record<State, Hue>>> = {
  active: 'success',
  paused: 'warning',
  replied: 'info',
  meeting_booked: 'info',
  converted: 'info',
  bounced: 'danger',
}

export const hueOf = (enrollment: Enrollment): Hue => hues[stateOf(enrollment)] ?? 'neutral'

export const nameOf = ({ lead, contact }: Enrollment): string =>
  lead?.name || lead?.email || contact?.name || contact?.email || texts.erasedPerson

export const companyOf = ({ lead, contact }: Enrollment): string => lead?.company ?? contact?.account_name ?? ''

export const pathOf = ({ lead, contact }: Enrollment): string | undefined =>
  lead ? `/leads/${lead.id}` : contact ? `/contacts/${contact.id}` : undefined

export const isLive = ({ status }: Pick<Enrollment, 'status'>): boolean => status === 'active' || status === 'paused'

/** The next event, or the reason why there is none. */
export type NextEvent = { text: string; tone: 'normal' | 'warning' | 'late' | 'soft' }

type Moment = { now: number; locale: string }

export function describeNext(enrollment: Enrollment, cadence: Cadence, moment: Moment): NextEvent {
  const { status, ended_at, paused_reason, paused_until, next_run_at, current_step_id } = enrollment
  if (!isLive({ status }))
    return { text: ended_at ? texts.ended(formatDate(ended_at, moment.locale)) : '', tone: 'soft' }
  if (status === 'paused') {
    const reason = paused_reason ? texts.pauses[paused_reason] : texts.states.paused
    return {
      text: paused_until ? texts.until(reason, formatDate(paused_until, moment.locale)) : reason,
      tone: 'warning',
    }
  }
  if (cadence.status !== 'active') return { text: texts.cadenceStopped, tone: 'soft' }
  if (next_run_at) return { text: describeTime(next_run_at, moment), tone: 'normal' }
  const step = cadence.steps.find(({ id }) => id === current_step_id)
  return { text: step ? texts.waitsFor[step.type] : '', tone: 'normal' }
}

/** The day in words if it is near. */
export function describeTime(at: string, { now, locale }: Moment): string {
  const time = formatTime(at, locale)
  const days = dayNumberOf(Date.parse(at)) - dayNumberOf(now)
  if (days === 0) return texts.today(time)
  if (days === 1) return texts.tomorrow(time)
  return texts.at(formatDate(at, locale), time)
}

/** The place of the step that a person is in, or has reached. */
export function placeOf({ status, current_step_id }: Enrollment, steps: readonly CadenceStep[]): number | undefined {
  if (status === 'completed') return steps.length
  const at = steps.findIndex(({ id }) => id === current_step_id)
  return at < 0 ? undefined : at + 1
}
