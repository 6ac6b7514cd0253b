import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalidTransition, notFound } from '#platform/errors'
import { enqueue } from '#platform/jobs'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { assertOwnsOrManages } from '../../design/survey-records/surveys.rules.ts'
import { revokePending } from './distribution-jobs.ts'
import {
  type DistributionRow,
  findDistribution,
  lockDistribution,
  updateDistributionRow,
} from './distributions.queries.ts'
import type { Distribution } from './distributions.schemas.ts'
import { toDistribution } from './list-distributions.service.ts'

/** Stops emails that are not sent yet, and all reminders. Links that were sent stay valid. */
export async function cancelSurveyDistribution(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  distributionId: string,
  now: Date,
): Promise<Distribution> {
  const survey = await getSurveyRow(tx, surveyId)
  assertOwnsOrManages(actor, survey)
  if ((await findDistribution(tx, distributionId))?.survey_id !== surveyId) throw notFound('distribution')
  const distribution = await lockDistribution(tx, distributionId)
  const { status } = distribution
  if (status === 'cancelled') return toDistribution(distribution, now)
  if (status === 'failed') {
    const message = 'A distribution that has failed cannot be cancelled.'
    throw invalidTransition(message, { from: status, to: 'cancelled', allowed: [] })
  }
  const cancelled = await stopDistribution(tx, distribution, 'cancelled')
  const after = { distribution_id: distributionId, status: 'cancelled' }
  await recordAudit(tx, 'survey.distribution_cancelled', { id: surveyId, label: survey.name, after })
  return toDistribution(cancelled, now)
}

/** Ends a distribution whose task has not invited all recipients. */
export async function endDistribution(tx: TenantTx, id: string, status: 'failed' | 'cancelled'): Promise<void> {
  const distribution = await lockDistribution(tx, id)
  if (distribution.status === 'scheduled' || distribution.status === 'sending')
    await stopDistribution(tx, distribution, status)
}

async function stopDistribution(
  tx: TenantTx,
  { id, audience }: DistributionRow,
  status: 'failed' | 'cancelled',
): Promise<DistributionRow> {
  if (status === 'cancelled') await enqueue(tx, revokePending, { distribution_id: id })
  return await updateDistributionRow(tx, id, { status, audience: JSON.stringify({ ...audience, emails: [] }) })
}
