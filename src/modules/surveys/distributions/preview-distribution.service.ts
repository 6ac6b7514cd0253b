import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { readSurveySettings } from '../settings/survey-settings.ts'
import type { SurveyRow } from '../survey-records/survey-row.ts'
import { type AudiencePosition, addSkipped, audienceStart, noneSkipped } from './audience.rules.ts'
import { chooseRecipients } from './choose-recipients.service.ts'
import type { Audience } from './distributions.queries.ts'
import type { DistributionPreview } from './distributions.schemas.ts'
import { readAudience } from './read-audience.service.ts'

const batchSize = 1_000

type PreviewedDistribution = { survey: SurveyRow; audience: Audience; ignore_throttle: boolean }

/** Counts recipients and skipped persons as the distribution would, without storing anything. */
export async function previewDistribution(
  tx: TenantTx,
  actor: UserActor,
  { survey, audience, ignore_throttle }: PreviewedDistribution,
  services: Services,
): Promise<DistributionPreview> {
  const throttleDays = ignore_throttle ? 0 : (await readSurveySettings(tx)).throttle_days
  const chosenKeys = new Set<string>()
  let skipped = noneSkipped
  for (let position: AudiencePosition | null = audienceStart; position; ) {
    const part = await readAudience(tx, actor, audience, { position, limit: batchSize }, services)
    const choice = { surveyId: survey.id, distributionId: null, throttleDays, chosenKeys }
    const chosen = await chooseRecipients(tx, part.candidates, choice, services)
    for (const { email_key } of chosen.recipients) chosenKeys.add(email_key)
    skipped = addSkipped(skipped, chosen.skipped)
    position = part.next
  }
  return { recipients: chosenKeys.size, skipped }
}
