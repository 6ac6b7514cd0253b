import {
  type AnswerValues,
  type BranchingQuestion,
  isAnswered,
  visiblePath,
} from '../../design/conditions/visible-path.rules.ts'
import { findAnswerProblem } from '../answers/answer-values.rules.ts'
import { readAnswer, toFields } from './answer-fields.rules.ts'
import { type PageProblem, toPageProblem } from './answer-problems.rules.ts'
import type { FormFields, PageQuestion } from './page-question.ts'

export type StepQuestion = PageQuestion & BranchingQuestion

export type ShownStep = {
  question: StepQuestion
  answers: AnswerValues
  fields: FormFields
  problem?: PageProblem
}
export type Step = { shown: ShownStep } | { completed: AnswerValues }

type SubmittedStep = {
  stepKey: string | undefined
  isBack: boolean
  answers: AnswerValues
  fields: FormFields
}

export function firstStep(questions: readonly StepQuestion[], answers: AnswerValues): ShownStep {
  const path = visiblePath(questions, answers)
  const isOpen = ({ key, question_type }: StepQuestion) => question_type !== 'statement' && !isAnswered(answers[key])
  const question = Object.keys(answers).length ? (path.find(isOpen) ?? path.at(-1)) : path[0]
  return showStep(question!, answers)
}

/** Decides what follows a submitted page: the question again, another one, or the end. */
export function nextStep(
  questions: readonly StepQuestion[],
  { stepKey, isBack, answers, fields }: SubmittedStep,
): Step {
  const question = visiblePath(questions, answers).find(({ key }) => key === stepKey)
  if (!question) return { shown: firstStep(questions, answers) }
  const read = readAnswer(question, fields)
  const code = 'problem' in read ? read.problem : findProblemCode(question, read.value)
  const { [question.key]: _replaced, ...others } = answers
  const isKept = code === undefined && 'value' in read && isAnswered(read.value)
  const known = isKept ? { ...others, [question.key]: read.value } : others
  const path = visiblePath(questions, known)
  const at = path.indexOf(question)
  if (isBack) return { shown: showStep(path[at - 1] ?? question, known) }
  if (code !== undefined)
    return { shown: { question, answers: others, fields, problem: toPageProblem(question, code, fields) } }
  const next = path[at + 1]
  return next ? { shown: showStep(next, known) } : { completed: known }
}

export function rejectedStep(
  questions: readonly StepQuestion[],
  answers: AnswerValues,
  problems: readonly { key: string; code: string }[],
): ShownStep | undefined {
  const question = questions.find(({ key }) => problems.some((problem) => problem.key === key))
  if (!question) return undefined
  const { [question.key]: value, ...others } = answers
  const fields = toFields(question, value)
  const { code } = problems.find(({ key }) => key === question.key)!
  return { question, answers: others, fields, problem: toPageProblem(question, code, fields) }
}

/** Leaves out answers that do not fit their questions, for example of a form that is older than a change. */
export function keepValidAnswers(questions: readonly StepQuestion[], answers: AnswerValues): AnswerValues {
  return Object.fromEntries(
    questions.flatMap((question) => {
      const value = Object.hasOwn(answers, question.key) ? answers[question.key] : undefined
      return isAnswered(value) && !findAnswerProblem(question, value) ? [[question.key, value] as const] : []
    }),
  )
}

export type Progress = { number: number; total: number | null; value: number; max: number; isLast: boolean }

/** The total is unknown while the answers to this or later questions can change it. */
export function progressOf(questions: readonly StepQuestion[], { question, answers }: ShownStep): Progress {
  const path = visiblePath(questions, answers)
  const number = path.findIndex(({ key }) => key === question.key) + 1
  const position = questions.findIndex(({ key }) => key === question.key)
  const remaining = questions.slice(position)
  const canChange = remaining.length > 1 && remaining.some(({ show_if, end_if }) => show_if || end_if)
  const [shown, total] = canChange ? [position + 1, questions.length] : [number, path.length]
  return {
    number,
    total: canChange ? null : total,
    value: 2 * shown - 1,
    max: 2 * total,
    isLast: !canChange && number === path.length,
  }
}

function showStep(question: StepQuestion, answers: AnswerValues): ShownStep {
  const { [question.key]: value, ...others } = answers
  return { question, answers: others, fields: toFields(question, value) }
}

function findProblemCode(question: StepQuestion, value: unknown): string | undefined {
  const { question_type, required } = question
  if (question_type === 'consent') return required && value !== true ? 'consent_required' : undefined
  if (isAnswered(value)) return findAnswerProblem(question, value)?.code
  return required && question_type !== 'statement' ? 'required' : undefined
}
