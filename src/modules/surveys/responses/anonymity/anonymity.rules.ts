// Decides what may be shown about an anonymous survey. Results, exports, archives, webhooks, notifications and the audit log show nothing
// else, because nothing else is stored where they read.
import { canonicalJson } from '#platform/canonical-json'
import type { Condition } from '../../design/question-records/condition.schemas.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import { headlineOf, type ScoreCounts } from '../../design/scores/scores.rules.ts'
import type { SurveyVisibility } from '../../design/survey-records/survey-privacy.schemas.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import type { StoredAnswer } from '../answers/stored-answers.rules.ts'

export type Respondent = { channel: string; is_person: boolean }

type Tally = { persons: number; addresses: number; visitors: number }

const noRespondents: Tally = { persons: 0, addresses: 0, visitors: 0 }

const tallyOf = (respondents: readonly Respondent[]): Tally => ({
  persons: respondents.filter(({ is_person }) => is_person).length,
  addresses: respondents.filter(({ channel, is_person }) => !is_person && channel === 'email').length,
  visitors: respondents.filter(({ channel, is_person }) => !is_person && channel !== 'email').length,
})

const addTallies = (one: Tally, other: Tally): Tally => ({
  persons: one.persons + other.persons,
  addresses: one.addresses + other.addresses,
  visitors: one.visitors + other.visitors,
})

const isEnough = ({ persons, addresses, visitors }: Tally, minimum: number): boolean =>
  persons > 0 ? persons >= minimum : addresses === 0 && (visitors === 0 || visitors >= minimum)

/**
 * Returns whether figures of these respondents may be shown. Only invited contacts and leads count, because the owner of a survey can
 * answer through the public link and by addresses of his own. Answers by the link are shown alone as well, never with a few persons.
 */
export const isLargeEnough = (respondents: readonly Respondent[], minimum: number): boolean =>
  isEnough(tallyOf(respondents), minimum)

type Part<Key, One> = { key: Key; respondents: readonly One[] }

/**
 * Returns the parts of a whole that must not be shown: those that are too small, and as many others, the smallest first, as it takes
 * that the hidden ones together are enough. Otherwise the whole less the shown parts would reveal them. Of each, those who have a score
 * must be enough, too. Adds tallies, because a whole can have thousands of parts.
 */
export function findHiddenParts<Key, One extends Respondent>(
  parts: readonly Part<Key, One>[],
  minimum: number,
  hasScore: (respondent: One) => boolean = () => true,
): Set<Key> {
  const areEnough = (tallies: readonly Tally[]) => tallies.every((tally) => isEnough(tally, minimum))
  const measured = parts.map(({ key, respondents }) => ({
    key,
    size: respondents.length,
    tallies: [tallyOf(respondents), tallyOf(respondents.filter(hasScore))],
  }))
  const isShown = ({ key, tallies }: (typeof measured)[number]) => key !== null && areEnough(tallies)
  const shown = measured.filter(isShown).sort((one, other) => other.size - one.size)
  const hidden = new Set<Key>()
  let hiddenTallies = [noRespondents, noRespondents]
  const hide = ({ key, tallies }: (typeof measured)[number]) => {
    hidden.add(key)
    hiddenTallies = hiddenTallies.map((tally, index) => addTallies(tally, tallies[index]!))
  }
  for (const part of measured) if (!isShown(part)) hide(part)
  while (shown.length && !areEnough(hiddenTallies)) hide(shown.pop()!)
  return hidden
}

function divideBy<Key, One>(respondents: readonly One[], keyOf: (one: One) => Key): Part<Key, One>[] {
  return [...Map.groupBy(respondents, keyOf)].map(([key, own]) => ({ key, respondents: own }))
}

type Place = { group: string | null; month: string }

/** Returns the groups and months whose scores may be shown: every group, or all hidden ones, has no or enough scores of every month. */
export function chooseFigures(scored: readonly (Respondent & Place)[], minimum: number) {
  const areEnough = (respondents: readonly Respondent[]) => isLargeEnough(respondents, minimum)
  const byGroup = divideBy(scored, ({ group }) => group)
  const hiddenGroups = findHiddenParts(byGroup, minimum)
  const groups = new Set(byGroup.flatMap(({ key }) => (key === null || hiddenGroups.has(key) ? [] : [key])))
  const months = new Set(
    divideBy(scored, ({ month }) => month)
      .sort((one, other) => one.respondents.length - other.respondents.length)
      .map(({ key }) => key),
  )
  const partOf = ({ group, month }: Place) =>
    `${group !== null && groups.has(group) ? group : ''}|${months.has(month) ? month : ''}`
  for (const smallest of [...months]) {
    if (divideBy(scored, partOf).every(({ respondents }) => areEnough(respondents))) break
    months.delete(smallest)
  }
  return { groups, months, partOf }
}

type Answered = Respondent & { answers: readonly StoredAnswer[] }

const textTypes: readonly string[] = ['short_text', 'long_text', 'email']

/** Returns the ids of questions that may be shown: too few respondents saw or answered none of them. */
export function findShownQuestions(
  responses: readonly Answered[],
  questions: readonly Question[],
  minimum: number,
): Set<string> {
  const given = responses.flatMap((response) => response.answers.map((answer) => ({ ...answer, response })))
  const byQuestion = Map.groupBy(given, ({ question_id }) => question_id)
  const areEnough = (answers: typeof given) =>
    isLargeEnough(
      answers.map(({ response }) => response),
      minimum,
    )
  return new Set(
    questions.flatMap(({ id }) => {
      const seen = byQuestion.get(id) ?? []
      return areEnough(seen) && areEnough(seen.filter(({ is_answered }) => is_answered)) ? [id] : []
    }),
  )
}

type Row = Answered & { score: number | null; part: string }

/**
 * Returns the answers of each row that may be shown. Score and texts stay together. The other answers of a row, and texts that only
 * some respondents were asked for because of them, are shown if the same combination occurs often enough in the part of the results (a
 * shown group and month) that the row belongs to. The rows without them are as many, and so are those of them that answered a question.
 */
export function selectShownAnswers(
  rows: readonly Row[],
  questions: readonly Question[],
  minimum: number,
): StoredAnswer[][] {
  const details = listDetails(questions)
  const types = new Map(questions.map(({ id, question_type }) => [id, question_type]))
  const combined = rows.map((row) => {
    const given = row.answers.filter(({ question_id }) => details.has(question_id))
    const choices = given.map((answer) => choiceOf(types.get(answer.question_id), answer))
    return { ...row, given, combination: [row.part, ...choices.sort()].join('\n') }
  })
  const combinations = divideBy(combined, ({ part }) => part).flatMap(({ respondents }) => {
    const ofPart = divideBy(respondents, ({ combination }) => combination)
    const hiddenOfPart = findHiddenParts(ofPart, minimum, ({ score }) => score !== null)
    return ofPart.map((one) => ({ ...one, isHidden: hiddenOfPart.has(one.key) }))
  })
  const hidden = new Set<string>()
  const answered = new Map([...details].map((id) => [id, noRespondents]))
  const hide = ({ key, respondents }: (typeof combinations)[number]) => {
    hidden.add(key)
    for (const { given, ...respondent } of respondents)
      for (const { question_id: id, is_answered } of given)
        if (is_answered) answered.set(id, addTallies(answered.get(id)!, tallyOf([respondent])))
  }
  for (const one of combinations) if (one.isHidden) hide(one)
  const shown = combinations.filter(({ isHidden }) => !isHidden)
  shown.sort((one, other) => other.respondents.length - one.respondents.length)
  const revealsAnswers = () => [...answered.values()].some((tally) => !isEnough(tally, minimum))
  while (shown.length && revealsAnswers()) hide(shown.pop()!)
  return combined.map(({ answers, combination }) =>
    answers.filter(({ question_id }) => !hidden.has(combination) || !details.has(question_id)),
  )
}

/** The text of a day is a choice, others are not. */
function choiceOf(type: string | undefined, answer: StoredAnswer): string {
  const { question_id, is_answered, value_number, value_options, value_json, value_text } = answer
  const options = type === 'multiple_choice' ? value_options?.toSorted() : value_options
  const day = type === 'date' ? value_text : null
  return canonicalJson([question_id, is_answered, value_number, options ?? null, value_json, day])
}

/** Lists the questions that are no score and no text, and the texts that depend on them. */
function listDetails(questions: readonly Question[]): Set<string> {
  const primary = questions.find(({ is_primary }) => is_primary)?.key
  const dependsOnDetails = (condition: Condition | null): boolean => {
    if (!condition) return false
    if ('all' in condition) return condition.all.some(dependsOnDetails)
    if ('any' in condition) return condition.any.some(dependsOnDetails)
    return condition.question !== primary
  }
  let mayHaveEnded = false
  return new Set(
    questions.flatMap(({ id, is_primary, question_type, show_if, end_if }) => {
      const isConditional = mayHaveEnded || dependsOnDetails(show_if)
      mayHaveEnded ||= dependsOnDetails(end_if)
      return isConditional || (!is_primary && !textTypes.includes(question_type)) ? [id] : []
    }),
  )
}

type Secrecy = Pick<SurveyRow, 'anonymous' | 'survey_type' | 'status' | 'breakdown' | 'min_group_size'>

/** While a survey with groups is open, its scores could be subtracted from those of the groups. */
export const showsScoresWhileOpen = ({ survey_type, breakdown }: Secrecy): boolean =>
  survey_type !== 'custom' && breakdown === 'none'

/** The score of the responses that count; null of too few anonymous ones. */
export function findHeadline(survey: Secrecy, scoreCounts: ScoreCounts) {
  const headline = headlineOf(survey.survey_type, scoreCounts)
  if (!survey.anonymous) return headline
  const isShown = showsScoresWhileOpen(survey) || survey.status === 'closed'
  return isShown && headline && headline.n >= survey.min_group_size ? headline : null
}

/** Questions, texts, groups and months of an anonymous survey are shown once, after its end. */
export const showsDetails = ({ anonymous, status }: Secrecy): boolean => !anonymous || status === 'closed'

type Request = { from?: unknown; to?: unknown; interval?: string | undefined; group_by?: string | undefined }

/** Returns the first field of a request for results that could be subtracted from others, with the reason. */
export function findRefusedField({ anonymous, breakdown }: Secrecy, request: Request): [string, string] | undefined {
  if (!anonymous) return undefined
  for (const field of ['from', 'to'] as const)
    if (request[field] !== undefined) return [field, `\`${field}\` must not be sent for an anonymous survey.`]
  if (request.interval !== undefined && request.interval !== 'month')
    return ['interval', '`interval` must be `month` for an anonymous survey.']
  if (request.group_by !== undefined && request.group_by !== breakdown)
    return [
      'group_by',
      '`group_by` must be the `breakdown` of an anonymous survey, which is chosen before the first invitation.',
    ]
  return undefined
}

const groupNames = { language: 'language', channel: 'channel', lifecycle_stage: 'lifecycle stage' }

/** Says what users see of the answers, before the first person is invited. */
export function describeVisibility(survey: Secrecy): SurveyVisibility | null {
  if (!survey.anonymous) return null
  const { breakdown, min_group_size: size, survey_type } = survey
  const hasScore = survey_type !== 'custom'
  return {
    shown: [
      'The number of responses, at any time.',
      ...(showsScoresWhileOpen(survey)
        ? [`While the survey is open: the overall score, in steps of at least ${size} responses.`]
        : []),
      `After the end: every question that at least ${size} persons have answered${hasScore ? ', the overall score and its months' : ''}.`,
      ...(hasScore && breakdown !== 'none'
        ? [`After the end: scores by ${groupNames[breakdown]}, of groups of at least ${size} persons.`]
        : []),
      `After the end: the texts of a response${hasScore ? ' beside its score' : ''}, and its other answers if at least ${size} persons have given the same ones.`,
    ],
    hidden: [
      'Who has responded, and when.',
      `Any result if fewer than ${size} persons respond. Only contacts and leads count as persons, not other addresses; responses through the public link count separately.`,
      ...(showsScoresWhileOpen(survey) ? [] : ['Any result before the end.']),
      breakdown === 'none' ? 'Results by group.' : `Results by any group other than ${groupNames[breakdown]}.`,
      'Results by day, week or segment.',
    ],
  }
}
