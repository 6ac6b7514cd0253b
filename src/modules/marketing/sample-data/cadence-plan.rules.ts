import { daysLater, secondsLater } from '#platform/clock'
import type { SampleCadence, SampleEnrollment } from './sample-cadences.ts'

const hour = 3_600

export type SampleLead = { id: string; email: string; status: string }
export type PlannedRun = {
  step_id: string
  type: string
  state: 'waiting' | 'claimed' | 'done'
  run_at: Date
  done_at: Date | null
  replied_at: Date | null
  bounced_at: Date | null
}
export type PlannedEnrollment = {
  lead: SampleLead
  sender: string
  enrollment: SampleEnrollment
  enrolled_at: Date
  ended_at: Date | null
  paused_until: Date | null
  current_step_id: string | null
  runs: PlannedRun[]
}

type Step = { id: string; type: string; delay_days: number }

/** Distributes the enrollments over the leads. A lead is in one cadence at most, so those of `used` are left out. */
export function planEnrollments(
  { enrollments, senders, status, days }: SampleCadence,
  steps: readonly Step[],
  { leads, used, now }: { leads: readonly SampleLead[]; used: Set<string>; now: Date },
): PlannedEnrollment[] {
  const all = enrollments.flatMap((enrollment) => Array.from({ length: enrollment.count }, () => enrollment))
  return all.flatMap((enrollment, at): PlannedEnrollment[] => {
    const lead = leads.find((one) => !used.has(one.id) && fits(one, enrollment))
    if (!lead) return []
    used.add(lead.id)
    const sender = senders[at % senders.length]!
    const isNew = enrollment.steps === 0
    const enrolledAt = secondsLater(daysLater(now, isNew ? 0 : -days + (at % 12)), -(at % 7) * hour - 1_800)
    return [{ lead, sender, ...planOne(enrollment, steps, { enrolledAt, now, isRunning: status === 'active' }) }]
  })
}

const fits = ({ status }: SampleLead, enrollment: SampleEnrollment): boolean =>
  enrollment.state === 'exited' && enrollment.reason === 'converted'
    ? status === 'converted'
    : status !== 'converted' && status !== 'unqualified'

type Times = { enrolledAt: Date; now: Date; isRunning: boolean }

function planOne(enrollment: SampleEnrollment, steps: readonly Step[], { enrolledAt, now, isRunning }: Times) {
  const runs: PlannedRun[] = []
  let at = enrolledAt
  for (const { id, type, delay_days } of steps.slice(0, enrollment.steps)) {
    at = earlier(daysLater(at, delay_days), secondsLater(now, -2 * hour))
    runs.push({ step_id: id, type, state: 'done', run_at: at, done_at: at, replied_at: null, bounced_at: null })
  }
  const last = runs.at(-1)
  const endedAt = isEnded(enrollment) ? secondsLater(at, hour) : null
  if (enrollment.state === 'exited' && last) {
    if (enrollment.reason === 'replied') runs.findLast(({ type }) => type === 'email_auto')!.replied_at = endedAt
    if (enrollment.reason === 'bounced') last.bounced_at = endedAt
  }
  const next = isEnded(enrollment) ? undefined : steps[enrollment.steps]
  if (next && isRunning && enrollment.state === 'active') {
    const isTask = next.type !== 'email_auto'
    const due = daysLater(now, next.delay_days || 1)
    const run_at = isTask ? at : due
    const state = isTask ? 'claimed' : 'waiting'
    runs.push({ step_id: next.id, type: next.type, state, run_at, done_at: null, replied_at: null, bounced_at: null })
  }
  return {
    enrollment,
    enrolled_at: enrolledAt,
    ended_at: endedAt,
    paused_until: enrollment.state === 'paused' && enrollment.reason === 'auto_reply' ? daysLater(now, 3) : null,
    current_step_id: (next ?? (last && { id: last.step_id }))?.id ?? null,
    runs,
  }
}

const isEnded = ({ state }: SampleEnrollment): boolean => state === 'completed' || state === 'exited'
const earlier = (one: Date, other: Date): Date => (one < other ? one : other)

type Counted = { cadence_id: string; step_id: string; measure: string; by: number }

/** The counts that running the cadence would have produced. */
export function countSample(cadenceId: string, enrollments: readonly PlannedEnrollment[]): Counted[] {
  const ofCadence = (measure: string): Counted => ({ cadence_id: cadenceId, step_id: cadenceId, measure, by: 1 })
  const ofStep = (step_id: string, measure: string): Counted[] => [
    { cadence_id: cadenceId, step_id, measure, by: 1 },
    ofCadence(measure),
  ]
  return enrollments.flatMap(({ enrollment, runs }) => {
    const done = runs.filter(({ state }) => state === 'done')
    const emails = done.filter(({ type }) => type === 'email_auto')
    return [
      ofCadence('enrolled'),
      ...(enrollment.state === 'completed' ? [ofCadence('completed')] : []),
      ...(enrollment.state === 'exited' ? [ofCadence('exited'), ofCadence(`exited_${enrollment.reason}`)] : []),
      ...(emails.some(({ bounced_at }) => !bounced_at) ? [ofCadence('persons_delivered')] : []),
      ...(emails.some(({ replied_at }) => replied_at) ? [ofCadence('persons_replied')] : []),
      ...done.flatMap(({ step_id, type }) => ofStep(step_id, type === 'email_auto' ? 'sent' : 'tasks_done')),
      ...emails.flatMap(({ step_id, replied_at }) => (replied_at ? ofStep(step_id, 'replied') : [])),
      ...emails.flatMap(({ step_id, bounced_at }) => (bounced_at ? ofStep(step_id, 'bounced') : [])),
    ]
  })
}
