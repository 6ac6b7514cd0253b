import { queueEmails } from '#modules/email'
import type { UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { readSurveySettings } from '../../design/settings/survey-settings.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { lockSurveyShared } from '../../design/survey-records/surveys.queries.ts'
import { assertOwnsOrManages, hasEnded } from '../../design/survey-records/surveys.rules.ts'
import { readInvitationTokens } from '../invitation-tokens/invitation-tokens.service.ts'
import { lockInvitations } from '../invitations/invitations.queries.ts'
import { invitationEmailKind } from '../survey-emails/survey-emails.ts'
import { addSkipped, type DistributionProgress, surveyNotActive } from './audience.rules.ts'
import { chooseRecipients, type Recipient } from './choose-recipients.service.ts'
import { enqueueReminders } from './distribution-jobs.ts'
import {
  type DistributionRow,
  findDistribution,
  lockDistribution,
  updateDistributionRow,
} from './distributions.queries.ts'
import { assertEnoughRecipients } from './preview-distribution.service.ts'
import { readAudience } from './read-audience.service.ts'
import {
  addInvitationSegments,
  addInvited,
  insertInvitations,
  listInvitationIdsByKeys,
  lockInvitationChoice,
  type NewInvitation,
} from './recipients.queries.ts'

const batchSize = 500

type Batch = { distributionId: string; progress: DistributionProgress }

/** Invites the next persons of the audience. The survey may be paused: its emails wait until it is active again. */
export async function inviteBatch(
  tx: TenantTx,
  actor: UserActor,
  { distributionId, progress }: Batch,
  services: Services,
): Promise<DistributionProgress> {
  const planned = await findDistribution(tx, distributionId)
  if (!planned) throw notFound('distribution')
  const page = { position: progress.position!, limit: batchSize }
  const { candidates, next } = await readAudience(tx, actor, planned.audience, page, services)
  const survey = await lockSurveyShared(tx, planned.survey_id)
  const now = services.clock.now()
  assertOwnsOrManages(actor, survey)
  if (survey.deleted_at || hasEnded(survey, now)) throw surveyNotActive()
  await lockInvitationChoice(tx)
  const distribution = await lockDistribution(tx, distributionId)
  if (distribution.status === 'cancelled') return { ...progress, position: null }
  const { audience, ignore_throttle } = distribution
  await assertEnoughRecipients(tx, actor, { survey, audience, ignore_throttle }, services)

  const throttleDays = ignore_throttle ? 0 : (await readSurveySettings(tx)).throttle_days
  const choice = { surveyId: survey.id, distributionId, throttleDays }
  const { recipients, duplicates, skipped } = await chooseRecipients(tx, candidates, choice, services)
  const invited = await inviteRecipients(tx, survey, distribution, recipients, services)
  await addSegments(tx, distributionId, duplicates)
  const result: DistributionProgress = {
    position: next,
    recipients: progress.recipients + invited,
    skipped: addSkipped(progress.skipped, [
      ...skipped,
      ...new Array(recipients.length - invited).fill('already_invited'),
    ]),
  }
  await updateDistributionRow(tx, distributionId, {
    recipients: result.recipients,
    skipped: JSON.stringify(result.skipped),
    ...(next === null && (await completeDistribution(tx, distribution, result.recipients, now))),
  })
  return result
}

async function inviteRecipients(
  tx: TenantTx,
  survey: SurveyRow,
  distribution: DistributionRow,
  recipients: readonly Recipient[],
  { secrets }: Services,
): Promise<number> {
  if (!recipients.length) return 0
  const tokens = await readInvitationTokens(tx, secrets)
  const expires_at = daysLater(distribution.send_at, distribution.expires_in_days)
  const invitations = recipients.map(({ email_key, ...recipient }): NewInvitation => {
    const id = newId()
    return {
      ...recipient,
      id,
      survey_id: survey.id,
      distribution_id: distribution.id,
      token_hash: tokens.hashOf(id).toString('hex'),
      key_version: tokens.keyVersion,
      name: recipient.name?.slice(0, 200) ?? null,
      language: recipient.language ?? distribution.language ?? survey.default_language,
      expires_at,
    }
  })
  const inserted = await insertInvitations(tx, invitations)
  await addInvited(tx, survey.id, inserted.size)
  await queueEmails(
    tx,
    invitations
      .filter(({ id }) => inserted.has(id))
      .map(({ id, email, name, lead_id, contact_id }) => ({
        kind: invitationEmailKind,
        ref_id: id,
        to: { address: email, name },
        lead_id,
        contact_id,
        run_at: distribution.send_at,
        created_by: distribution.created_by,
      })),
  )
  return inserted.size
}

async function addSegments(tx: TenantTx, distributionId: string, duplicates: readonly Recipient[]): Promise<void> {
  const added = duplicates.flatMap(({ email_key, segment_ids }) =>
    segment_ids.map((segment_id) => ({ email_key, segment_id })),
  )
  if (!added.length) return
  const keys = added.map(({ email_key }) => email_key)
  const ids = await listInvitationIdsByKeys(tx, distributionId, keys)
  await lockInvitations(tx, ids)
  await addInvitationSegments(tx, ids, added)
}

/** Deletes the email addresses of the audience, because the invitations contain those that matter. */
async function completeDistribution(tx: TenantTx, distribution: DistributionRow, recipients: number, now: Date) {
  await enqueueReminders(tx, distribution)
  return {
    resolved_at: now,
    audience: JSON.stringify({ ...distribution.audience, emails: [] }),
    ...(recipients === 0 && { status: 'sent' }),
  }
}
