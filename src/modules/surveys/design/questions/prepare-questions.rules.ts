import type { InputError } from '#platform/errors'
import { listOrderProblems } from '../conditions/condition.rules.ts'
import { listRuleProblems, mergeRules, toOptions } from '../question-records/question-rules.rules.ts'
import type { NewQuestion, Question, QuestionChanges } from '../question-records/questions.schemas.ts'
import type { SurveyType } from '../survey-records/surveys.schemas.ts'
import { type Languages, listLanguageProblems, toTextMap, withoutLanguages } from '../translations/texts.rules.ts'

export type QuestionContent = Pick<
  Question,
  | ('key' | 'question_type' | 'title' | 'help' | 'required' | 'is_primary')
  | ('options' | 'rules' | 'show_if' | 'end_if')
>
export type SurveyContext = Languages & { survey_type: SurveyType }

export function toQuestionContent(input: NewQuestion, key: string, survey: SurveyContext): QuestionContent {
  const { title, question_type, help = null, required = false, is_primary = false } = input
  return {
    key,
    question_type,
    title: toTextMap(title, survey),
    help: toTextMap(help, survey),
    required,
    is_primary,
    options: toOptions(input.options ?? [], survey),
    rules: mergeRules(question_type, input.rules ?? {}, { languages: survey }),
    show_if: input.show_if ?? null,
    end_if: input.end_if ?? null,
  }
}

/** Options that are missing in the request are kept as archived ones if `keepsOptions`, because responses chose them. */
export function applyChanges(
  question: Question,
  changes: QuestionChanges,
  survey: SurveyContext,
  { keepsOptions }: { keepsOptions: boolean },
): QuestionContent {
  const { title, help, options, rules, position: _, ...fields } = changes
  const type = fields.question_type ?? question.question_type
  const given = options && toOptions(options, survey)
  const missing = given && question.options.filter(({ key }) => !given.some((option) => option.key === key))
  const archived = keepsOptions ? (missing ?? []).map((option) => ({ ...option, archived: true })) : []
  const { key, required, is_primary, show_if, end_if } = question
  return {
    key,
    required,
    is_primary,
    show_if,
    end_if,
    ...fields,
    question_type: type,
    title: title === undefined ? question.title : toTextMap(title, survey, question.title),
    help: help === undefined ? question.help : toTextMap(help, survey, question.help),
    options: given ? [...given, ...archived] : question.options,
    rules: mergeRules(type, rules ?? {}, {
      languages: survey,
      current: type === question.question_type ? question.rules : {},
    }),
  }
}

const problem = (path: string, code: string, message: string): InputError => ({ in: 'body', path, code, message })

/** Lists the problems of one question; conditions need its place among the others. */
export function listContentProblems(
  content: QuestionContent,
  given: Pick<NewQuestion, 'rules'>,
  survey: SurveyContext,
): InputError[] {
  const { title, help, question_type, is_primary } = content
  const problems = [
    ...listLanguageProblems('/title', title, survey),
    ...listLanguageProblems('/help', help, survey),
    ...listRuleProblems(content, given.rules, survey),
  ]
  if (!Object.keys(title).length) problems.push(problem('/title', 'required', '`title` must have a text.'))
  if (is_primary && question_type !== survey.survey_type)
    problems.push(problem('/is_primary', 'not_allowed', `The primary question must have the type of the survey.`))
  if (question_type === 'statement' && content.required)
    problems.push(problem('/required', 'not_allowed', 'A statement takes no answer and cannot be required.'))
  return problems
}

/** Lists the problems of questions in order: repeated keys, several primary questions, conditions that do not look back. */
export function listSequenceProblems(
  questions: readonly QuestionContent[],
  pathOf: (index: number) => string,
): InputError[] {
  const keys = questions.map(({ key }) => key)
  const primary = questions.findIndex(({ is_primary }) => is_primary)
  return questions
    .flatMap(({ key, is_primary }, index) => [
      ...(keys.indexOf(key) < index
        ? [problem(`${pathOf(index)}/key`, 'unique', '`key` must not be used twice.')]
        : []),
      ...(is_primary && primary < index
        ? [problem(`${pathOf(index)}/is_primary`, 'unique', 'A survey must not have two primary questions.')]
        : []),
    ])
    .concat(listOrderProblems(questions, (_, index) => pathOf(index)))
}

/** Returns the first of q1, q2, … that is not taken. */
export function nextKey(taken: ReadonlySet<string>): string {
  let number = 1
  while (taken.has(`q${number}`)) number++
  return `q${number}`
}

export function stripLanguages(question: Question, removed: readonly string[]): Question {
  const strip = <Part extends { label: Record<string, string> }>(part: Part): Part => ({
    ...part,
    label: withoutLanguages(part.label, removed),
  })
  const { labels, rows, columns } = question.rules
  return {
    ...question,
    title: withoutLanguages(question.title, removed),
    help: withoutLanguages(question.help, removed),
    options: question.options.map(strip),
    rules: {
      ...question.rules,
      ...(labels && {
        labels: { low: withoutLanguages(labels.low, removed), high: withoutLanguages(labels.high, removed) },
      }),
      ...(rows && { rows: rows.map(strip) }),
      ...(columns && { columns: columns.map(strip) }),
    },
  }
}

const scoreTitles = {
  nps: 'How likely are you to recommend us to a friend or colleague?',
  csat: 'How satisfied are you with us?',
  ces: 'How easy was it to get what you needed?',
}

/** The questions of a survey that is created without any. Their texts are in English, whatever the language of the survey. */
export function defaultQuestions(type: SurveyType): NewQuestion[] {
  if (type === 'custom') return []
  return [
    { key: 'score', question_type: type, title: scoreTitles[type], required: true, is_primary: true },
    { key: 'reason', question_type: 'long_text', title: 'What is the main reason for your score?' },
  ]
}

type KeyedPart = { key: string }
const keysOf = (parts: readonly KeyedPart[] = []) => parts.map(({ key }) => key).join()

/** Names what a change cannot touch after the first response, or undefined. */
export function findFixedChange(before: QuestionContent, after: QuestionContent): string | undefined {
  if (before.question_type !== after.question_type) return '`question_type`'
  if (before.key !== after.key) return '`key`'
  if (before.is_primary !== after.is_primary) return '`is_primary`'
  if (before.rules.scale !== after.rules.scale) return '`scale`'
  if (keysOf(before.rules.rows) !== keysOf(after.rules.rows)) return '`rows`'
  return keysOf(before.rules.columns) === keysOf(after.rules.columns) ? undefined : '`columns`'
}
