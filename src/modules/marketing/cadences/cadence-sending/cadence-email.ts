import {
  type EmailContent,
  type EmailKind,
  type EmailToRender,
  listEmailsById,
  parseTemplate,
  readTemplateValues,
  renderTemplate,
  type SkippedEmail,
  type TemplateValues,
} from '#modules/email'
import { findUserEmails } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { readSenderValues } from '../cadence-records/cadence-status.service.ts'
import { type CadenceRow, findCadences } from '../cadence-records/cadences.queries.ts'
import { type EnrollmentRow, listEnrollments } from '../cadence-records/enrollments.queries.ts'
import { listRunsOfEnrollments, type RunRow } from '../cadence-records/runs.queries.ts'
import { listStepsById, type RemovableStepRow, type StepRow } from '../cadence-records/steps.queries.ts'
import { addressChanged, cadenceEmailKind, notSentInTime } from '../cadence-runs/cadence-email-kind.ts'
import { nextRunTime, type RunTimes } from '../cadence-runs/plan.rules.ts'
import { personIdOf, readRunContext } from '../cadence-runs/run-times.service.ts'
import { readLinkTracker } from '../cadence-tracking/tracked-links.service.ts'

/** Emails of cadences are checked again when they are rendered, in the transaction that sends them. */
export const cadenceEmails: EmailKind = {
  kind: cadenceEmailKind,
  channel: 'email',
  keepsBody: true,
  expectsReplies: true,
  render: renderMessages,
}

type Rendered = EmailContent | SkippedEmail

async function renderMessages(
  tx: TenantTx,
  services: Services,
  messages: readonly EmailToRender[],
): Promise<ReadonlyMap<string, Rendered>> {
  const context = await readEmailContext(tx, services, messages)
  return new Map(messages.map((message) => [message.id, renderMessage(message, context)]))
}

type EmailContext = Awaited<ReturnType<typeof readEmailContext>>

async function readEmailContext(tx: TenantTx, services: Services, messages: readonly EmailToRender[]) {
  const enrollments = await listEnrollments(
    tx,
    messages.map(({ ref_id }) => ref_id),
  )
  const senderIds = [...new Set(enrollments.flatMap(({ sender_id }) => sender_id ?? []))]
  const runs = await listRunsOfEnrollments(
    tx,
    enrollments.map(({ id }) => id),
  )
  const [cadences, steps, times, persons, senders, addresses, emails] = await Promise.all([
    findCadences(tx, [...new Set(enrollments.map(({ cadence_id }) => cadence_id))]),
    listStepsById(tx, [...new Set(runs.map(({ step_id }) => step_id))]),
    readRunContext(tx, enrollments),
    readTemplateValues(tx, {
      leadIds: enrollments.flatMap(({ lead_id }) => lead_id ?? []),
      contactIds: enrollments.flatMap(({ contact_id }) => contact_id ?? []),
    }),
    readSenderValues(tx, senderIds),
    findUserEmails(tx, senderIds),
    listEmailsById(
      tx,
      runs.filter(({ state }) => state === 'done').map(({ id }) => id),
    ),
  ])
  const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]))
  return {
    domain: services.config.APP_DOMAIN,
    now: services.clock.now(),
    times,
    tracker: await readLinkTracker(tx, services),
    enrollments: byId(enrollments),
    runs: byId(runs),
    cadences: byId(cadences),
    steps: byId(steps),
    persons,
    senders,
    addresses,
    emails,
    runsByEnrollment: Map.groupBy(runs, ({ enrollment_id }) => enrollment_id),
  }
}

function renderMessage(message: EmailToRender, context: EmailContext): Rendered {
  const run = context.runs.get(message.id)
  const enrollment = context.enrollments.get(message.ref_id)
  const cadence = run && context.cadences.get(run.cadence_id)
  const step = run && context.steps.get(run.step_id)
  if (!run || !enrollment || !cadence || !step) return { skip: 'enrollment_ended' }
  const refusal = findRefusal(message, { run, enrollment, cadence, step }, context)
  if (refusal) return refusal
  const values: TemplateValues = {
    ...context.persons.get(personIdOf(enrollment)),
    ...context.senders.get(enrollment.sender_id ?? ''),
    unsubscribe_url: message.unsubscribe_url,
  }
  const tracker = context.tracker.trackEmail({
    runId: run.id,
    clicks: cadence.track_clicks,
    opens: cadence.track_opens,
    unsubscribeUrl: message.unsubscribe_url,
  })
  const content = renderContent(run, step, values, tracker)
  if ('skip' in content) return content
  const thread = step.reply_in_thread ? findThread(enrollment.id, context) : undefined
  return {
    ...content,
    html: tracker.addImage(content.html),
    ...(thread && { subject: `Re: ${thread.subject.replace(/^(re:\s*)+/i, '')}`, inReplyTo: thread.messageId }),
    fromName: values['sender.name'] ?? null,
    replyTo: context.addresses.get(enrollment.sender_id ?? '') ?? null,
  }
}

type Facts = { run: RunRow; enrollment: EnrollmentRow; cadence: CadenceRow; step: RemovableStepRow }

/** Paused emails are queued again when the enrollment or the cadence continues. */
function findRefusal(
  { to_address }: EmailToRender,
  { run, enrollment, cadence, step }: Facts,
  context: EmailContext,
): SkippedEmail | undefined {
  if (enrollment.status === 'exited' || enrollment.status === 'completed') return { skip: 'enrollment_ended' }
  if (enrollment.status === 'paused' || cadence.status !== 'active') return { skip: 'paused' }
  if (run.state !== 'claimed' || enrollment.current_step_id !== run.step_id) return { skip: 'enrollment_ended' }
  if (step.deleted_at) return { skip: 'step_removed' }
  if (to_address.toLowerCase() !== enrollment.person_email_key) return { skip: addressChanged }
  return isInTime(run, context.times.timesOf(cadence, enrollment), context) ? undefined : { skip: notSentInTime }
}

/** An email may wait in the queue for hours, for example while the mail server is down. */
const isInTime = ({ reserved_on }: RunRow, runTimes: RunTimes, { now, times }: EmailContext): boolean =>
  reserved_on === dayInTimezone(now, times.timezone) && nextRunTime(now, runTimes) <= now

/** The text of a manual email is written by its sender and has no variables. */
function renderContent(
  run: RunRow,
  step: StepRow,
  values: TemplateValues,
  links: { toUrl(url: string): string },
): (EmailContent & { html: string }) | SkippedEmail {
  const toTemplate = (text: string | null, template: string | null) =>
    text === null ? parseTemplate(template ?? '') : { parts: [text], problems: [] }
  const subject = renderTemplate(toTemplate(run.subject, step.subject_template), values, 'text')
  const body = toTemplate(run.body, step.body_template)
  const [text, html] = [renderTemplate(body, values, 'text', links), renderTemplate(body, values, 'html', links)]
  if ('missing' in subject || 'missing' in text || 'missing' in html) return { skip: 'missing_variable' }
  return { subject: subject.content, text: text.content, html: html.content }
}

/** Finds the last email that the person got in the cadence. */
function findThread(enrollmentId: string, { runsByEnrollment, emails, domain }: EmailContext) {
  const sent = (runsByEnrollment.get(enrollmentId) ?? [])
    .filter(({ state, done_at }) => state === 'done' && done_at !== null)
    .toSorted((one, other) => other.done_at!.getTime() - one.done_at!.getTime())
    .map(({ id }) => emails.get(id))
    .find((email) => email?.subject)
  return sent && { subject: sent.subject!, messageId: `<${sent.id}@${domain}>` }
}
