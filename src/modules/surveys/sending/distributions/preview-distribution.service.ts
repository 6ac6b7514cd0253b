import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { readSurveySettings } from '../../design/settings/survey-settings.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { type AudiencePosition, addSkipped, audienceStart, noneSkipped, tooFewRecipients } from './audience.rules.ts'
import { chooseRecipients } from './choose-recipients.service.ts'
import type { Audience } from './distributions.queries.ts'
import type { DistributionPreview } from './distributions.schemas.ts'
import { readAudience } from './read-audience.service.ts'
import { countInvitedPersons } from './recipients.queries.ts'

const batchSize = 1_000

type PreviewedDistribution = {
  survey: SurveyRow
  audience: Audience
  ignore_throttle: boolean
  atLeast?: number
}

/** Counts recipients and skipped persons as the distribution would, without storing anything. */
export async function previewDistribution(
  tx: TenantTx,
  actor: UserActor,
  distribution: Omit<PreviewedDistribution, 'atLeast'>,
  services: Services,
): Promise<DistributionPreview> {
  const { recipients, skipped } = await countRecipients(tx, actor, distribution, services)
  return { recipients, skipped }
}

/** `persons` are the contacts and leads among the recipients; the count ends when there are `atLeast` of them. */
async function countRecipients(
  tx: TenantTx,
  actor: UserActor,
  { survey, audience, ignore_throttle, atLeast = Number.POSITIVE_INFINITY }: PreviewedDistribution,
  services: Services,
): Promise<DistributionPreview & { persons: number }> {
  const throttleDays = ignore_throttle ? 0 : (await readSurveySettings(tx)).throttle_days
  const chosenKeys = new Set<string>()
  let skipped = noneSkipped
  let persons = 0
  for (let position: AudiencePosition | null = audienceStart; position && persons < atLeast; ) {
    const part = await readAudience(tx, actor, audience, { position, limit: batchSize }, services)
    const choice = { surveyId: survey.id, distributionId: null, throttleDays, chosenKeys }
    const chosen = await chooseRecipients(tx, part.candidates, choice, services)
    for (const { email_key } of chosen.recipients) chosenKeys.add(email_key)
    persons += chosen.recipients.filter(({ contact_id, lead_id }) => contact_id !== null || lead_id !== null).length
    skipped = addSkipped(skipped, chosen.skipped)
    position = part.next
  }
  return { recipients: chosenKeys.size, skipped, persons }
}

/**
 * An anonymous survey is sent to two whole groups of contacts and leads, because its recipients read that their answers are anonymous, and
 * the owner can answer by other addresses himself.
 */
export async function assertEnoughRecipients(
  tx: TenantTx,
  actor: UserActor,
  distribution: Omit<PreviewedDistribution, 'atLeast'>,
  services: Services,
): Promise<void> {
  const { id, anonymous, min_group_size } = distribution.survey
  if (!anonymous) return
  const minimum = 2 * min_group_size
  const invited = await countInvitedPersons(tx, id, minimum)
  const atLeast = minimum - invited
  if (atLeast <= 0) return
  const { persons } = await countRecipients(tx, actor, { ...distribution, atLeast }, services)
  if (persons < atLeast) throw tooFewRecipients(minimum, invited + persons)
}
