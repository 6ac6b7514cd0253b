import { enrollmentTexts as texts } from '../../texts/en/enrollment-texts.ts'
import { formatDate, formatDateTime } from '../../ui/format.ts'
import type { Enrollment } from './enrollment-api.ts'

export const isLive = ({ status }: Pick<Enrollment, 'status'>): boolean => status === 'active' || status === 'paused'

/** Puts those that can still send first. Both parts keep their order. */
export const sortByLiveness = (enrollments: readonly Enrollment[]): Enrollment[] => [
  ...enrollments.filter(isLive),
  ...enrollments.filter((enrollment) => !isLive(enrollment)),
]

export function describeStep({ status, step, step_count: count }: Enrollment): string {
  if (!step || status === 'completed') return texts.steps(count)
  const { position, type, subject_template: subject } = step
  const kind = texts.stepTypes[type]
  return `${texts.step(position, count)} · ${subject ? `${kind} “${shortenTemplate(subject)}”` : kind}`
}

const shortenTemplate = (subject: string): string => subject.replace(/\{\{[^{}]*\}\}/g, '…')

type Region = { locale: string; zone: string }

/** Says what the enrollment waits for, or why it is paused or has ended. */
export function describeStatus(enrollment: Enrollment, region: Region): string {
  const { status, paused_reason, paused_until, exit_reason, ended_at } = enrollment
  if (status === 'paused')
    return join(
      paused_reason && texts.paused[paused_reason],
      paused_until && texts.until(formatDateTime(paused_until, region.locale)),
    )
  if (status === 'active') return describeNextStep(enrollment, region)
  const reason = status === 'completed' ? texts.completed : exit_reason && texts.exited[exit_reason]
  return join(reason, ended_at && formatDate(ended_at, region.locale))
}

function describeNextStep({ cadence, step, sender, next_run_at: at, timezone }: Enrollment, region: Region): string {
  if (cadence.status !== 'active') return texts.cadenceStopped[cadence.status]
  if (at) {
    const time = formatDateTime(at, region.locale, timezone)
    return texts.nextAt(timezone === region.zone ? time : texts.inZone(time, timezone.replaceAll('_', ' ')))
  }
  if (!step) return ''
  return step.type === 'email_auto' ? texts.sending : texts.waits(texts.waitsFor[step.type], sender?.name)
}

const join = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' · ')
