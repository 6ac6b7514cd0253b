import { countMatchingRecords, findPersonsByEmails, listExistingIds, readRuleContext } from '#modules/crm'
import { readAddressLimit } from '#modules/email'
import { listSegmentsByIds, requireSegmentRule } from '#modules/marketing'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { type InputError, invalid, invalidInput, roleRequired, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { assertOwnsOrManages } from '../../design/survey-records/surveys.rules.ts'
import { surveyDistributed } from '../../surveys.events.ts'
import { assertLinksAllowed } from '../survey-emails/email-policy.service.ts'
import { assertSendable, toAudience } from './audience.rules.ts'
import { startDistributing } from './distribution-jobs.ts'
import { type Audience, insertDistribution, updateDistributionRow } from './distributions.queries.ts'
import {
  type DistributionPreview,
  maxRecipients,
  type NewDistribution,
  type StartedDistribution,
} from './distributions.schemas.ts'
import { assertEnoughRecipients, previewDistribution } from './preview-distribution.service.ts'

const maxDaysAhead = 90

export async function distributeSurvey(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  input: NewDistribution,
  services: Services,
): Promise<DistributionPreview | StartedDistribution> {
  const now = services.clock.now()
  const survey = await getSurveyRow(tx, surveyId)
  assertOwnsOrManages(actor, survey)
  if (input.ignore_throttle && !isManagerOrAdmin(actor.role))
    throw roleRequired('`ignore_throttle` requires the role manager or admin.')
  assertSendable(survey, now)
  const problems = listProblems(survey, input, now)
  if (problems.length) throw invalidInput(problems)
  await assertLinksAllowed(tx, actor, [input.subject, input.message], services)
  await assertAddressesAllowed(tx, actor, input)
  const { audience, estimate } = await resolveAudience(tx, actor, input, services)
  if (estimate > maxRecipients)
    throw invalid(
      'body',
      '',
      'too_many',
      'The audience must not have more than 50,000 persons. Send the survey in several distributions.',
    )
  const { ignore_throttle = false } = input
  const distribution = { survey, audience, ignore_throttle }
  if (input.dry_run) return await previewDistribution(tx, actor, distribution, services)
  await assertEnoughRecipients(tx, actor, distribution, services)
  return await startDistribution(tx, actor, { survey, audience, estimate, input, now })
}

function listProblems(survey: SurveyRow, input: NewDistribution, now: Date): InputError[] {
  const { reminder_days = [], send_at } = input
  const problems: InputError[] = []
  const report = (path: string, code: string, message: string) => problems.push({ in: 'body', path, code, message })
  if (!input.contact_ids && !input.lead_ids && !input.segment_ids && !input.emails)
    report('/contact_ids', 'required', '`contact_ids`, `lead_ids`, `segment_ids` or `emails` is required.')
  if (reminder_days.some((day, index) => index > 0 && day <= reminder_days[index - 1]!))
    report('/reminder_days', 'order', '`reminder_days` must be in ascending order.')
  const languages: [string, string | undefined][] = [
    ['/language', input.language],
    ...(input.emails ?? []).map(({ language }, index): [string, string | undefined] => [
      `/emails/${index}/language`,
      language,
    ]),
  ]
  for (const [path, language] of languages)
    if (language !== undefined && !survey.languages.includes(language))
      report(path, 'unknown_language', '`language` must be one of `languages` of the survey.')
  if (send_at === undefined) return problems
  const sendAt = new Date(send_at)
  if (sendAt > daysLater(now, maxDaysAhead))
    report('/send_at', 'maximum', '`send_at` must not be more than 90 days ahead.')
  else if (survey.closes_at !== null && sendAt >= survey.closes_at)
    report('/send_at', 'maximum', '`send_at` must be before `closes_at` of the survey.')
  return problems
}

async function assertAddressesAllowed(tx: TenantTx, actor: UserActor, { emails = [] }: NewDistribution): Promise<void> {
  if (!emails.length) return
  const limit = await readAddressLimit(tx, actor.role)
  const persons = await findPersonsByEmails(
    tx,
    emails.map(({ email }) => email),
  )
  const unknown = [...persons.values()].filter(({ lead_id, contact_id }) => !lead_id && !contact_id).length
  if (unknown > limit)
    throw invalid(
      'body',
      '/emails',
      'too_many',
      `\`emails\` must not have more than ${limit} addresses that are no lead or contact. Create leads, or ask an admin to raise \`sending.daily_limit_unknown_addresses\`.`,
    )
}

type ResolvedAudience = { audience: Audience; estimate: number }

/** Checks all ids, and counts the persons before duplicates and skipped ones are removed. */
async function resolveAudience(
  tx: TenantTx,
  actor: UserActor,
  input: NewDistribution,
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<ResolvedAudience> {
  const { contact_ids = [], lead_ids = [], segment_ids = [] } = input
  const [contactIds, leadIds, segments] = await Promise.all([
    listExistingIds(tx, 'contact', contact_ids),
    listExistingIds(tx, 'lead', lead_ids),
    listSegmentsByIds(tx, segment_ids),
  ])
  assertKnown('/contact_ids', 'contact', contact_ids, contactIds)
  assertKnown('/lead_ids', 'lead', lead_ids, leadIds)
  const segmentIds = segments.map(({ id }) => id)
  assertKnown('/segment_ids', 'segment', segment_ids, segmentIds)
  const wrong = segment_ids.findIndex((id) => segments.find((one) => one.id === id)!.object_type === 'account')
  if (wrong >= 0) {
    const message = '`segment_ids` must contain segments of leads or contacts.'
    throw invalid('body', `/segment_ids/${wrong}`, 'object_type', message)
  }
  const context = await readRuleContext(tx, services.clock.now(), actor.userId)
  let estimate = contactIds.length + leadIds.length + (input.emails?.length ?? 0)
  for (const segment of segments) {
    const rule = await requireSegmentRule(tx, segment, services)
    estimate += await countMatchingRecords(tx, rule, context, maxRecipients + 1)
  }
  return { audience: toAudience(input, segments), estimate }
}

function assertKnown(path: string, thing: string, ids: readonly string[], known: readonly string[]): void {
  const existing = new Set(known)
  const missing = ids.findIndex((id) => !existing.has(id))
  if (missing >= 0) throw unknownReference(`${path}/${missing}`, thing)
}

type Start = { survey: SurveyRow; audience: Audience; estimate: number; input: NewDistribution; now: Date }

async function startDistribution(
  tx: TenantTx,
  actor: UserActor,
  { survey, audience, estimate, input, now }: Start,
): Promise<StartedDistribution> {
  const wanted = input.send_at === undefined ? now : new Date(input.send_at)
  const sendAt = wanted > now ? wanted : now
  const distribution = await insertDistribution(tx, {
    id: newId(),
    survey_id: survey.id,
    audience: JSON.stringify(audience),
    status: sendAt > now ? 'scheduled' : 'sending',
    send_at: sendAt,
    subject: input.subject ?? null,
    message: input.message ?? null,
    language: input.language ?? null,
    reminder_days: input.reminder_days ?? survey.reminder_days,
    expires_in_days: input.expires_in_days ?? survey.invitation_ttl_days,
    ignore_throttle: input.ignore_throttle ?? false,
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  const task = await startDistributing(tx, actor, { survey, distributionId: distribution.id, total: estimate })
  await updateDistributionRow(tx, distribution.id, { task_id: task.task_id })
  await recordAudit(tx, 'survey.distributed', {
    id: survey.id,
    label: survey.name,
    after: { distribution_id: distribution.id, estimated_recipients: estimate, send_at: sendAt },
  })
  await emit(tx, surveyDistributed, survey, { distribution_id: distribution.id, estimated_recipients: estimate })
  return { ...task, distribution_id: distribution.id, estimated_recipients: estimate }
}
