import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { getCounters } from '../../design/counters/counters.queries.ts'
import { readSurveySettings } from '../../design/settings/survey-settings.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { type AudiencePosition, addSkipped, audienceStart, noneSkipped, tooFewRecipients } from './audience.rules.ts'
import { chooseRecipients } from './choose-recipients.service.ts'
import type { Audience } from './distributions.queries.ts'
import type { DistributionPreview } from './distributions.schemas.ts'
import { readAudience } from './read-audience.service.ts'

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
  { survey, audience, ignore_throttle, atLeast = Number.POSITIVE_INFINITY }: PreviewedDistribution,
  services: Services,
): Promise<DistributionPreview> {
  const throttleDays = ignore_throttle ? 0 : (await readSurveySettings(tx)).throttle_days
  const chosenKeys = new Set<string>()
  let skipped = noneSkipped
  for (let position: AudiencePosition | null = audienceStart; position && chosenKeys.size < atLeast; ) {
    const part = await readAudience(tx, actor, audience, { position, limit: batchSize }, services)
    const choice = { surveyId: survey.id, distributionId: null, throttleDays, chosenKeys }
    const chosen = await chooseRecipients(tx, part.candidates, choice, services)
    for (const { email_key } of chosen.recipients) chosenKeys.add(email_key)
    skipped = addSkipped(skipped, chosen.skipped)
    position = part.next
  }
  return { recipients: chosenKeys.size, skipped }
}

/** An anonymous survey is sent to a whole group, because its recipients read that their answers are anonymous. */
export async function assertEnoughRecipients(
  tx: TenantTx,
  actor: UserActor,
  distribution: Omit<PreviewedDistribution, 'atLeast'>,
  services: Services,
): Promise<void> {
  const { id, anonymous, min_group_size } = distribution.survey
  if (!anonymous) return
  const { invited } = await getCounters(tx, id)
  const atLeast = min_group_size - invited
  if (atLeast <= 0) return
  const { recipients } = await previewDistribution(tx, actor, { ...distribution, atLeast }, services)
  if (recipients < atLeast) throw tooFewRecipients(min_group_size, invited + recipients)
}
