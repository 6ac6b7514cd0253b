import { listEmailRecipients, readCrmSettings } from '#modules/crm'
import {
  type EmailContent,
  type EmailKind,
  type EmailToRender,
  type PostponedEmail,
  readOwnDomains,
  type SkippedEmail,
} from '#modules/email'
import { getTenant, readSettings, timezoneOf, workspaceUrl } from '#modules/identity'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { listCounters } from '../../design/counters/counters.queries.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { listSurveysByIds } from '../../design/survey-records/surveys.queries.ts'
import { hasEnded } from '../../design/survey-records/surveys.rules.ts'
import { type InvitationTokens, readInvitationTokens } from '../invitation-tokens/invitation-tokens.service.ts'
import { findUnapprovedFields } from './email-policy.service.ts'
import { renderSurveyEmail } from './render-survey-email.ts'
import { type EmailedInvitation, listEmailedInvitations, listPrimaryQuestions } from './survey-emails.queries.ts'

export const invitationEmailKind = 'survey_invitation'
export const reminderEmailKind = 'survey_reminder'

const pausedSeconds = 3_600

const defineSurveyEmails = (kind: string, isReminder: boolean): EmailKind => ({
  kind,
  channel: 'survey',
  render: (tx, services, messages) => renderMessages(tx, services, messages, isReminder),
})

export const invitationEmails = defineSurveyEmails(invitationEmailKind, false)
export const reminderEmails = defineSurveyEmails(reminderEmailKind, true)

type Rendered = EmailContent | SkippedEmail | PostponedEmail

/** The link is derived here, so that no readable token is stored. */
async function renderMessages(
  tx: TenantTx,
  services: Services,
  messages: readonly EmailToRender[],
  isReminder: boolean,
): Promise<ReadonlyMap<string, Rendered>> {
  const now = services.clock.now()
  const refIds = messages.map(({ ref_id }) => ref_id)
  const invitations = await listEmailedInvitations(tx, refIds)
  const surveyIds = [...new Set([...invitations.values()].map(({ survey_id }) => survey_id))]
  const surveys = new Map((await listSurveysByIds(tx, surveyIds)).map((survey) => [survey.id, survey]))
  const context = await readContext(tx, services, [...invitations.values()], [...surveys.values()])
  const rendered = new Map<string, Rendered>()
  for (const { id, ref_id, to_address, unsubscribe_url } of messages) {
    const invitation = invitations.get(ref_id)
    const survey = invitation && surveys.get(invitation.survey_id)
    const refusal =
      findRefusal(invitation, survey, { toAddress: to_address, isReminder, now }) ??
      (isRecipientDeleted(invitation!, context) ? { skip: 'recipient_deleted' } : undefined)
    rendered.set(
      id,
      refusal ?? renderMessage({ invitation: invitation!, survey: survey!, isReminder, unsubscribe_url }, context),
    )
  }
  return rendered
}

type Refused = { toAddress: string; isReminder: boolean; now: Date }

function findRefusal(
  invitation: EmailedInvitation | undefined,
  survey: SurveyRow | undefined,
  { toAddress, isReminder, now }: Refused,
): SkippedEmail | PostponedEmail | undefined {
  if (!invitation || invitation.email !== toAddress) return { skip: 'invitation_deleted' }
  const open = isReminder ? ['sent', 'partial'] : ['pending']
  if (invitation.distribution_status === 'cancelled' || invitation.status === 'revoked') return { skip: 'cancelled' }
  if (!open.includes(invitation.status)) return { skip: 'invitation_not_open' }
  if (!survey || hasEnded(survey, now)) return { skip: 'survey_closed' }
  if (invitation.expires_at <= now) return { skip: 'invitation_expired' }
  return survey.status === 'paused' ? { postpone: secondsLater(now, pausedSeconds) } : undefined
}

/** An invitation that was sent to an address alone has no record. */
function isRecipientDeleted({ contact_id, lead_id }: EmailedInvitation, { firstNames }: EmailContext): boolean {
  const ids = [contact_id, lead_id].filter((id) => id !== null)
  return ids.length > 0 && !ids.some((id) => firstNames.has(id))
}

type EmailContext = Awaited<ReturnType<typeof readContext>>

async function readContext(
  tx: TenantTx,
  services: Services,
  invitations: readonly EmailedInvitation[],
  surveys: readonly SurveyRow[],
) {
  const surveyIds = surveys.map(({ id }) => id)
  const idsOf = (column: 'contact_id' | 'lead_id') => invitations.flatMap((invitation) => invitation[column] ?? [])
  const [tenant, branding, { sending }, timezone, ownDomains, unapprovedOf, questions, counters, contacts, leads] =
    await Promise.all([
      getTenant(tx),
      readSettings(tx, 'branding'),
      readCrmSettings(tx),
      timezoneOf(tx),
      readOwnDomains(tx, services.config),
      findUnapprovedFields(tx, surveys),
      listPrimaryQuestions(tx, surveyIds),
      listCounters(tx, surveyIds),
      listEmailRecipients(tx, 'contact', idsOf('contact_id')),
      listEmailRecipients(tx, 'lead', idsOf('lead_id')),
    ])
  const tokens = new Map<number, InvitationTokens>()
  for (const version of new Set(invitations.map(({ key_version }) => key_version)))
    tokens.set(version, await readInvitationTokens(tx, services.secrets, version))
  return {
    workspace: { name: tenant.name, branding },
    postalAddress: sending.postal_address,
    timezone,
    ownDomains,
    unapprovedOf,
    questions,
    recipients: new Map(counters.map(({ survey_id, invited }) => [survey_id, invited])),
    firstNames: new Map([...leads, ...contacts].map(({ id, first_name }) => [id, first_name])),
    urlOf: ({ id, key_version }: EmailedInvitation) =>
      workspaceUrl(services.config, tenant.slug, `/s/${tokens.get(key_version)!.tokenOf(id)}`),
  }
}

type Message = { invitation: EmailedInvitation; survey: SurveyRow; isReminder: boolean; unsubscribe_url: string }

function renderMessage(
  { invitation, survey, isReminder, unsubscribe_url }: Message,
  { questions, recipients, firstNames, urlOf, unapprovedOf, ...context }: EmailContext,
): EmailContent {
  const known = firstNames.get(invitation.contact_id ?? '') ?? firstNames.get(invitation.lead_id ?? '')
  return renderSurveyEmail({
    survey,
    invitation,
    isReminder,
    ...context,
    unapproved: unapprovedOf(survey),
    question: questions.get(survey.id),
    recipients: recipients.get(survey.id) ?? 0,
    distribution: { subject: invitation.subject, message: invitation.message },
    firstName: known ?? invitation.name?.trim().split(/\s+/)[0] ?? null,
    surveyUrl: urlOf(invitation),
    unsubscribeUrl: unsubscribe_url,
  })
}
