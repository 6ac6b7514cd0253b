import { assertAssignable, findUserNames, getTenant, workspaceUrl } from '#modules/identity'
import { findCampaignNames } from '#modules/marketing'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { type Page, type TenantTx, toSearchText } from '#platform/db'
import { roleRequired, unknownReference } from '#platform/errors'
import type { Services } from '#platform/module'
import { listCounters } from '../../design/counters/counters.queries.ts'
import { type LinkRow, listLiveLinks } from '../../design/links/links.queries.ts'
import { openLinkToken } from '../../design/links/links.service.ts'
import { listQuestions, listQuestionsOfSurveys } from '../../design/question-records/questions.queries.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import type { PublicLink, Survey, SurveySummary } from '../../design/survey-records/survey-details.schemas.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { completedCount, effectsOf, emailOf, ownsOrManages } from '../../design/survey-records/surveys.rules.ts'
import type { SurveyQuery } from '../../design/survey-records/surveys.schemas.ts'
import { findUnapprovedFields } from '../../sending/survey-emails/email-policy.service.ts'
import { describeVisibility, findHeadline } from '../anonymity/anonymity.rules.ts'
import { listSurveyRows } from './list-surveys.queries.ts'

type DetailServices = Pick<Services, 'secrets' | 'config'>

export async function getSurvey(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  services: DetailServices,
): Promise<Survey> {
  return await toSurveyDetails(tx, actor, await getSurveyRow(tx, surveyId), services)
}

export async function toSurveyDetails(
  tx: TenantTx,
  actor: UserActor,
  row: SurveyRow,
  services: DetailServices,
): Promise<Survey> {
  const [[summary], questions] = await Promise.all([
    toSurveySummaries(tx, [row], { actor, services }),
    listQuestions(tx, row.id),
  ])
  return { ...summary!, ...splitQuestions(questions) }
}

const splitQuestions = (questions: readonly Question[]) => ({
  questions: questions.filter(({ archived_at }) => archived_at === null),
  archived_questions: questions.filter(({ archived_at }) => archived_at !== null),
})

/** Surveys as a viewer sees them. */
export async function listSurveyDetails(tx: TenantTx, rows: readonly SurveyRow[]): Promise<Survey[]> {
  const [summaries, questions] = await Promise.all([
    toSurveySummaries(tx, rows),
    listQuestionsOfSurveys(
      tx,
      rows.map(({ id }) => id),
    ),
  ])
  return summaries.map((summary) => ({
    ...summary,
    ...splitQuestions(questions.filter(({ survey_id }) => survey_id === summary.id)),
  }))
}

export async function listSurveys(
  tx: TenantTx,
  actor: UserActor,
  query: SurveyQuery,
  services: DetailServices,
): Promise<Page<SurveySummary>> {
  const { items, ...rest } = await listSurveyRows(tx, query)
  return { ...rest, items: await toSurveySummaries(tx, items, { actor, services }) }
}

type Reader = { actor: UserActor; services: DetailServices }

async function toSurveySummaries(tx: TenantTx, rows: readonly SurveyRow[], reader?: Reader): Promise<SurveySummary[]> {
  const ids = rows.map(({ id }) => id)
  const [owners, campaigns, counters, links, { slug }, unapprovedOf] = await Promise.all([
    findUserNames(
      tx,
      rows.map(({ owner_id }) => owner_id),
    ),
    findCampaignNames(
      tx,
      rows.flatMap(({ campaign_id }) => campaign_id ?? []),
    ),
    listCounters(tx, ids),
    listLiveLinks(tx, ids),
    getTenant(tx),
    findUnapprovedFields(tx, rows),
  ])
  return rows.map((row) => {
    const counts = counters.find(({ survey_id }) => survey_id === row.id)!
    const campaign = row.campaign_id === null ? undefined : campaigns.get(row.campaign_id)
    const link = links.find(({ survey_id }) => survey_id === row.id)
    return {
      ...row,
      email: { ...emailOf(row.email), unapproved: unapprovedOf(row) },
      effects: effectsOf(row.effects),
      owner: { id: row.owner_id, name: owners.get(row.owner_id) ?? '' },
      campaign: campaign === undefined ? null : { id: row.campaign_id!, name: campaign },
      invited_count: counts.invited,
      completed_count: completedCount(counts),
      first_response_at: counts.first_response_at,
      headline: findHeadline(row, counts.score_counts),
      public_link: toPublicLink(tx, row, link, { slug, reader }),
      visibility: describeVisibility(row),
    }
  })
}

/** Every person with the link can respond, so an API key that only reads surveys must not get it. */
const canSeeUrl = (actor: UserActor, survey: SurveyRow): boolean =>
  actor.scopes.has('surveys.write') && ownsOrManages(actor, survey)

function toPublicLink(
  tx: TenantTx,
  survey: SurveyRow,
  link: LinkRow | undefined,
  { slug, reader }: { slug: string; reader: Reader | undefined },
): PublicLink {
  const token = link && reader && canSeeUrl(reader.actor, survey) ? openLinkToken(tx, link, reader.services) : null
  return {
    enabled: link !== undefined && link.token_cipher !== null,
    url: token && reader ? workspaceUrl(reader.services.config, slug, `/s/${token}`) : null,
  }
}

export async function assertAllowedOwner(tx: TenantTx, actor: UserActor, ownerId: string): Promise<void> {
  if (ownerId !== actor.userId && !isManagerOrAdmin(actor.role))
    throw roleRequired('Only managers and admins can choose another owner.')
  await assertAssignable(tx, ownerId)
}

export async function assertKnownCampaign(tx: TenantTx, campaignId: string | null | undefined): Promise<void> {
  if (campaignId && !(await findCampaignNames(tx, [campaignId])).has(campaignId))
    throw unknownReference('/campaign_id', 'campaign')
}

/** Starts with a space, because a search for short words matches the start of words. */
export const surveySearchText = (name: string): string => ` ${toSearchText(name)}`
