import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, type InputError, invalid, invalidInput, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { surveyUpdated } from '../../surveys.events.ts'
import { keysIn } from '../conditions/condition.rules.ts'
import { getCounters } from '../counters/counters.queries.ts'
import {
  deleteQuestionRow,
  getQuestion,
  insertQuestions,
  listQuestions,
  updatePositions,
  updateQuestionRow,
} from '../question-records/questions.queries.ts'
import {
  maxQuestions,
  type NewQuestion,
  type Question,
  type QuestionChanges,
} from '../question-records/questions.schemas.ts'
import type { SurveyRow } from '../survey-records/survey-row.ts'
import { lockSurvey, touchSurvey } from '../survey-records/surveys.queries.ts'
import {
  assertOwnsOrManages,
  hasResponses,
  listActivationProblems,
  surveyClosedError,
  surveyHasResponsesError,
} from '../survey-records/surveys.rules.ts'
import {
  applyChanges,
  findFixedChange,
  listContentProblems,
  listSequenceProblems,
  nextKey,
  type QuestionContent,
  toQuestionContent,
} from './prepare-questions.rules.ts'

type ClockService = Pick<Services, 'clock'>
type EditedSurvey = { survey: SurveyRow; questions: Question[]; archived: Question[]; isAnswered: boolean }

async function lockEditedSurvey(tx: TenantTx, actor: UserActor, surveyId: string): Promise<EditedSurvey> {
  const survey = await lockSurvey(tx, surveyId)
  assertOwnsOrManages(actor, survey)
  if (survey.status === 'closed') throw surveyClosedError('Questions')
  const [all, counters] = await Promise.all([listQuestions(tx, surveyId), getCounters(tx, surveyId)])
  return {
    survey,
    questions: all.filter(({ archived_at }) => archived_at === null),
    archived: all.filter(({ archived_at }) => archived_at !== null),
    isAnswered: hasResponses(counters),
  }
}

async function recordChange(
  tx: TenantTx,
  survey: SurveyRow,
  action: string,
  entry: { before?: Question; after?: Question },
): Promise<void> {
  const touched = await touchSurvey(tx, survey.id)
  await recordAudit(tx, `survey.${action}`, { id: survey.id, label: survey.name, ...entry })
  await emit(tx, surveyUpdated, touched, { changed: ['questions'] })
}

export async function createSurveyQuestion(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  input: NewQuestion,
  { clock }: ClockService,
): Promise<Question> {
  const { survey, questions, archived, isAnswered } = await lockEditedSurvey(tx, actor, surveyId)
  if (questions.length >= maxQuestions)
    throw conflict('conflict', `A survey cannot have more than ${maxQuestions} questions.`)
  if (isAnswered && input.required)
    throw invalid('body', '/required', 'survey_has_responses', '`required` must be false after the first response.')
  const key = input.key ?? nextKey(new Set([...questions, ...archived].map((question) => question.key)))
  if (archived.some((question) => question.key === key))
    throw invalid('body', '/key', 'unique', '`key` must not be the key of an archived question.')
  const content = toQuestionContent(input, key, survey)
  const index = Math.min(input.position ?? questions.length + 1, questions.length + 1) - 1
  const sequence: QuestionContent[] = questions.toSpliced(index, 0, content as Question)
  assertValid(survey, { content, given: input, sequence, index }, clock.now())

  const row = { id: newId(), survey_id: surveyId, position: questions.length + 1, ...content }
  const [created] = await insertQuestions(tx, [row])
  const ids = questions.map(({ id }) => id).toSpliced(index, 0, row.id)
  await updatePositions(tx, surveyId, ids)
  const question = { ...created!, position: index + 1 }
  await recordChange(tx, survey, 'question_created', { after: question })
  return question
}

type Checked = {
  content: QuestionContent
  given: Pick<NewQuestion, 'rules'>
  sequence: readonly QuestionContent[]
  index: number
}

/** Checks a changed question, its place among the others, and that an active survey stays complete. */
function assertValid(survey: SurveyRow, { content, given, sequence, index }: Checked, now: Date): void {
  const ofOthers = (problems: readonly InputError[]): InputError[] =>
    problems.map((found) =>
      found.path.startsWith('/own')
        ? { ...found, path: found.path.slice('/own'.length) }
        : {
            in: 'body',
            path: '',
            code: 'invalid_question',
            message: `Another question of the survey would be invalid: ${found.message}`,
          },
    )
  const problems = [
    ...listContentProblems(content, given, survey),
    ...ofOthers(listSequenceProblems(sequence, (at) => (at === index ? '/own' : `/others/${at}`))),
  ]
  if (problems.length) throw invalidInput(problems)
  assertComplete(survey, sequence, now)
}

function assertComplete(survey: SurveyRow, sequence: readonly QuestionContent[], now: Date): void {
  if (survey.status !== 'active') return
  const problems = listActivationProblems({ ...survey, closes_at: null }, sequence as readonly Question[], now)
  if (problems.length) throw invalidInput(problems)
}

type QuestionIds = { surveyId: string; questionId: string }

export async function updateSurveyQuestion(
  tx: TenantTx,
  actor: UserActor,
  { surveyId, questionId }: QuestionIds,
  { changes, expectedVersion }: { changes: QuestionChanges; expectedVersion?: number },
  { clock }: ClockService,
): Promise<Question> {
  const { survey, questions, archived, isAnswered } = await lockEditedSurvey(tx, actor, surveyId)
  const current = questions.find(({ id }) => id === questionId)
  if (!current) throw notFound('question')
  assertVersion(current, expectedVersion)
  if (changes.key !== undefined && archived.some(({ key }) => key === changes.key))
    throw invalid('body', '/key', 'unique', '`key` must not be the key of an archived question.')
  const content = applyChanges(current, changes, survey, { keepsOptions: isAnswered })
  const fixed = isAnswered ? findFixedChange(current, content) : undefined
  if (fixed) throw surveyHasResponsesError(`${fixed} cannot change`)
  const others = questions.filter(({ id }) => id !== questionId)
  const index = Math.min(changes.position ?? current.position, questions.length) - 1
  const sequence = others.toSpliced(index, 0, { ...current, ...content })
  assertValid(survey, { content, given: changes, sequence, index }, clock.now())

  const fields = changedFields(current, content)
  const hasMoved = index + 1 !== current.position
  if (!Object.keys(fields).length && !hasMoved) return current
  if (hasMoved) {
    const ids = others.map(({ id }) => id).toSpliced(index, 0, questionId)
    await updatePositions(tx, surveyId, ids)
  }
  const revision = isAnswered && Object.keys(fields).length ? current.revision + 1 : current.revision
  const updated = Object.keys(fields).length
    ? await updateQuestionRow(tx, questionId, { ...fields, revision })
    : await getQuestion(tx, surveyId, questionId)
  await recordChange(tx, survey, 'question_updated', { before: current, after: updated })
  return updated
}

export async function deleteSurveyQuestion(
  tx: TenantTx,
  actor: UserActor,
  { surveyId, questionId }: QuestionIds,
  { clock, expectedVersion }: ClockService & { expectedVersion?: number },
): Promise<void> {
  const { survey, questions, archived, isAnswered } = await lockEditedSurvey(tx, actor, surveyId)
  const current = questions.find(({ id }) => id === questionId)
  if (!current) throw notFound('question')
  assertVersion(current, expectedVersion)
  const referrers = questions.filter(
    ({ id, show_if, end_if }) => id !== questionId && [...keysIn(show_if), ...keysIn(end_if)].includes(current.key),
  )
  if (referrers.length)
    throw conflict('question_referenced', 'Conditions of other questions name this question. Change them first.', {
      referenced_by: referrers.map(({ key }) => key),
    })
  const others = questions.filter(({ id }) => id !== questionId)
  if (current.is_primary && survey.status !== 'draft')
    throw conflict('conflict', 'The primary question of a survey that is not a draft cannot be deleted.')
  assertComplete(survey, others, clock.now())

  if (isAnswered) await updateQuestionRow(tx, questionId, { position: -archived.length - 1, archived_at: clock.now() })
  else await deleteQuestionRow(tx, questionId)
  const ids = others.map(({ id }) => id)
  await updatePositions(tx, surveyId, ids)
  await recordChange(tx, survey, 'question_deleted', { before: current })
}

export async function reorderSurveyQuestions(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  ids: readonly string[],
): Promise<Question[]> {
  const { survey, questions } = await lockEditedSurvey(tx, actor, surveyId)
  const sequence = ids.flatMap((id) => questions.find((question) => question.id === id) ?? [])
  if (sequence.length !== questions.length || ids.length !== questions.length)
    throw invalid('body', '/question_ids', 'incomplete', '`question_ids` must have every question of the survey once.')
  const problems = listSequenceProblems(sequence, (index) => `/question_ids/${index}`)
  if (problems.length) throw invalidInput(problems)
  if (sequence.every(({ position }, index) => position === index + 1)) return sequence

  await updatePositions(tx, surveyId, ids)
  await recordChange(tx, survey, 'questions_reordered', {})
  return (await listQuestions(tx, surveyId)).filter(({ archived_at }) => archived_at === null)
}
