import { getTenant, workspaceUrl } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { generateSecretToken, hashToken } from '#platform/secrets'
import { surveyUpdated } from '../../surveys.events.ts'
import type { SurveyRow } from '../survey-records/survey-row.ts'
import { lockSurvey, touchSurvey } from '../survey-records/surveys.queries.ts'
import { assertOwnsOrManages } from '../survey-records/surveys.rules.ts'
import { insertLink, type LinkRow, revokeLinkRow } from './links.queries.ts'

const locationOf = (tx: TenantTx, linkId: string) => ({
  tenantId: tenantIdOf(tx),
  table: 'surveys.links',
  column: 'token_cipher',
  row: linkId,
})

export const sealLinkToken = (tx: TenantTx, linkId: string, token: string, { secrets }: Pick<Services, 'secrets'>) =>
  secrets.seal(token, locationOf(tx, linkId))

/** Null in an imported workspace, whose links have no token. */
export function openLinkToken(
  tx: TenantTx,
  { id, token_kid, token_cipher }: LinkRow,
  { secrets }: Pick<Services, 'secrets'>,
): string | null {
  const isKnown = token_kid !== null && token_cipher !== null
  return isKnown ? secrets.open({ kid: token_kid, ciphertext: token_cipher }, locationOf(tx, id)) : null
}

/** Replaces the link of the survey; the previous one stops working. */
export async function createSurveyLink(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  services: Pick<Services, 'clock' | 'config' | 'secrets'>,
): Promise<{ url: string }> {
  const survey = await lockSurvey(tx, surveyId)
  assertOwnsOrManages(actor, survey)
  if (survey.status === 'draft') throw conflict('survey_not_active', 'A draft cannot have a link. Activate it first.')
  const now = services.clock.now()
  await revokeLinkRow(tx, surveyId, now)
  const [id, token] = [newId(), generateSecretToken()]
  const { kid, ciphertext } = sealLinkToken(tx, id, token, services)
  await insertLink(tx, {
    id,
    survey_id: surveyId,
    token_hash: hashToken(token),
    token_kid: kid,
    token_cipher: ciphertext,
    created_by: actor.userId,
    created_at: now,
  })
  await recordLinkChange(tx, survey, 'link_created', id)
  const { slug } = await getTenant(tx)
  return { url: workspaceUrl(services.config, slug, `/s/${token}`) }
}

export async function deleteSurveyLink(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  { clock }: Pick<Services, 'clock'>,
): Promise<void> {
  const survey = await lockSurvey(tx, surveyId)
  assertOwnsOrManages(actor, survey)
  const revoked = await revokeLinkRow(tx, surveyId, clock.now())
  if (revoked) await recordLinkChange(tx, survey, 'link_revoked', revoked.id)
}

async function recordLinkChange(tx: TenantTx, survey: SurveyRow, action: string, linkId: string): Promise<void> {
  const touched = await touchSurvey(tx, survey.id)
  await recordAudit(tx, `survey.${action}`, { id: survey.id, label: survey.name, after: { link_id: linkId } })
  await emit(tx, surveyUpdated, touched, { changed: ['public_link'] })
}
