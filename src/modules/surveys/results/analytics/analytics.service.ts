import { randomInt } from 'node:crypto'
import { timezoneOf } from '#modules/identity'
import { listSegmentsByIds } from '#modules/marketing'
import { dayInTimezone, toInstantRange } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { type CounterRow, getCounters } from '../../design/counters/counters.queries.ts'
import { listQuestions } from '../../design/question-records/questions.queries.ts'
import type { QuestionType } from '../../design/question-records/questions.schemas.ts'
import { headlineOf } from '../../design/scores/scores.rules.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { completedCount } from '../../design/survey-records/surveys.rules.ts'
import { findHeadline, findRefusedField, showsDetails } from '../../responses/anonymity/anonymity.rules.ts'
import { countUnreleased, findLastCountedOn } from '../../responses/responses/unreleased-responses.queries.ts'
import {
  findLastSubmittedOn,
  findMedianDuration,
  listAnswerSums,
  listDayScores,
  listLatestTexts,
  listLatestTextsBetween,
  listNumberMedians,
  listScoreSums,
  type ScoreSum,
} from './analytics.queries.ts'
import type {
  AnalyticsQuery,
  Group,
  Grouping,
  QuestionFigures,
  SurveyAnalytics,
  TrendPoint,
} from './analytics.schemas.ts'
import { rateOf, toQuestionFigures } from './question-figures.rules.ts'
import { chooseInterval, emptyCounts, listPeriods, maxTrendPoints, periodStart, toTrend } from './trend.rules.ts'

const textTypes: readonly QuestionType[] = ['short_text', 'long_text', 'single_choice', 'multiple_choice']

export async function getSurveyAnalytics(
  tx: TenantTx,
  surveyId: string,
  query: AnalyticsQuery,
  { clock }: Pick<Services, 'clock'>,
): Promise<SurveyAnalytics> {
  const survey = await getSurveyRow(tx, surveyId)
  assertQuery(survey, query)
  const counters = await getCounters(tx, surveyId)
  const { anonymous, min_group_size, breakdown } = survey
  const scores = anonymous
    ? counters.score_counts
    : (toCounts(await listScoreSums(tx, surveyId, 'all', query)).get('') ?? emptyCounts())
  const released = completedCount(counters) - counters.unreleased
  const isEnded =
    !anonymous || (released >= min_group_size && showsDetails(survey) && !(await countUnreleased(tx, surveyId)))
  return {
    totals: { ...totalsOf(counters), median_duration_seconds: await findMedianDuration(tx, surveyId) },
    headline: findHeadline(survey, scores),
    questions: isEnded ? await listQuestionFigures(tx, survey, query) : null,
    trend: isEnded ? await listTrend(tx, survey, query, { total: sumOf(scores), now: clock.now() }) : null,
    groups: isEnded && query.group_by ? await listGroups(tx, survey, query.group_by, query) : null,
    privacy: {
      anonymous,
      min_group_size,
      breakdown,
      responses_by_link: anonymous && released > 0 ? counters.released_link : null,
      released_through_on: !anonymous
        ? null
        : isEnded
          ? await findLastSubmittedOn(tx, surveyId)
          : await findLastCountedOn(tx, surveyId),
    },
  }
}

function assertQuery(survey: SurveyRow, query: AnalyticsQuery): void {
  const refused = findRefusedField(survey, query)
  if (refused) throw invalid('query', `/${refused[0]}`, 'not_allowed', refused[1])
  const { from, to } = query
  if (from !== undefined && to !== undefined && from > to)
    throw invalid('query', '/from', 'order', '`from` must not be after `to`.')
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

function totalsOf(counters: CounterRow) {
  const { invited, sent, bounced, started, completed_invited } = counters
  const completed = completedCount(counters)
  const delivered = Math.max(0, sent - bounced)
  return {
    invited,
    delivered,
    bounced,
    started,
    completed,
    response_rate: rateOf(completed_invited, delivered),
    completion_rate: rateOf(completed, started),
  }
}

/** Numbers of responses per score, for each value of a dimension. */
function toCounts(sums: readonly ScoreSum[]): Map<string, number[]> {
  const counts = new Map<string, number[]>()
  for (const { dim_value, score, n } of sums) {
    const known = counts.get(dim_value) ?? emptyCounts()
    known[score]! += n
    counts.set(dim_value, known)
  }
  return counts
}

async function listQuestionFigures(
  tx: TenantTx,
  { id, anonymous }: SurveyRow,
  range: AnalyticsQuery,
): Promise<QuestionFigures[]> {
  const [all, sums, timezone] = await Promise.all([
    listQuestions(tx, id),
    listAnswerSums(tx, id, range),
    timezoneOf(tx),
  ])
  const questions = all.filter(({ question_type }) => question_type !== 'statement')
  const idsOf = (types: readonly QuestionType[]) =>
    questions.filter(({ question_type }) => types.includes(question_type)).map((question) => question.id)
  const { since, until } = toInstantRange({ from: range.from, through: range.to }, timezone)
  const textIds = idsOf(textTypes)
  const [medians, texts] = await Promise.all([
    listNumberMedians(tx, id, idsOf(['number'])),
    since || until ? listLatestTextsBetween(tx, id, textIds, { since, until }) : listLatestTexts(tx, id, textIds),
  ])
  const hasFigures = ({ id: questionId }: { id: string }) =>
    !anonymous || sums.some(({ question_id }) => question_id === questionId)
  return questions.filter(hasFigures).map((question) => {
    const own = sums.filter(({ question_id }) => question_id === question.id)
    const latest = texts.filter(({ question_id }) => question_id === question.id).map(({ text }) => text)
    return toQuestionFigures(question, new Map(own.map((sum) => [sum.bucket, sum])), {
      median: medians.get(question.id) ?? null,
      texts: anonymous ? shuffle(latest) : latest,
    })
  })
}

/** Hides the order in which texts of an anonymous survey are stored. */
function shuffle(texts: readonly string[]): string[] {
  return texts
    .map((text) => ({ text, key: randomInt(2 ** 47) }))
    .sort((one, other) => one.key - other.key)
    .map(({ text }) => text)
}

type Shown = { total: number; now: Date }

async function listTrend(
  tx: TenantTx,
  { id, survey_type, anonymous, activated_at }: SurveyRow,
  query: AnalyticsQuery,
  { total, now }: Shown,
): Promise<TrendPoint[]> {
  if (survey_type === 'custom') return []
  const scores = await listDayScores(tx, id, query)
  const isStored = anonymous && activated_at && scores.length > 0
  const opened = isStored ? periodStart(dayInTimezone(activated_at, await timezoneOf(tx)), 'month') : undefined
  const first = query.from ?? opened ?? scores[0]?.day
  const last = query.to ?? (anonymous ? scores.at(-1)?.day : dayInTimezone(now, await timezoneOf(tx)))
  if (first === undefined || last === undefined || first > last) return []
  const interval = anonymous ? 'month' : (query.interval ?? chooseInterval(first, last))
  const periods = listPeriods(first, last, interval)
  if (periods.length > maxTrendPoints) {
    const message = `The trend must not have more than ${maxTrendPoints} periods. Choose a longer \`interval\` or a shorter range.`
    throw invalid('query', '/interval', 'too_many', message)
  }
  const isHidden = anonymous && sumOf(scores.map(({ n }) => n)) < total
  return toTrend(survey_type, scores, periods, { interval, isHidden })
}

async function listGroups(
  tx: TenantTx,
  { id, survey_type }: SurveyRow,
  grouping: Grouping,
  range: AnalyticsQuery,
): Promise<Group[]> {
  const counts = toCounts(await listScoreSums(tx, id, grouping, range))
  const labels = await listLabels(tx, grouping, [...counts.keys()])
  const groups = [...counts].map(([key, scores]) => ({
    key,
    label: labels.get(key) ?? null,
    ...headlineOf(survey_type, scores),
    n: sumOf(scores),
  }))
  return groups.sort((one, other) => other.n - one.n || (one.key < other.key ? -1 : 1))
}

async function listLabels(tx: TenantTx, grouping: Grouping, keys: readonly string[]): Promise<Map<string, string>> {
  if (grouping !== 'segment') return new Map()
  return new Map((await listSegmentsByIds(tx, keys)).map(({ id, name }) => [id, name]))
}
