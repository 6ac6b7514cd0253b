import { type InputError, shortenText } from '#platform/errors'
import { isDate } from '#platform/schema'
import {
  type Condition,
  type ConditionLeaf,
  choiceOperators,
  comparisonOperators,
  listOperators,
  maxConditionDepth,
  maxConditionLeaves,
  presenceOperators,
} from '../question-records/condition.schemas.ts'
import { liveOptions } from '../question-records/question-rules.rules.ts'
import type { Question, QuestionType } from '../question-records/questions.schemas.ts'
import { otherOption } from './visible-path.rules.ts'

export type ConditionTarget = Pick<Question, 'key' | 'question_type' | 'options' | 'rules'>
type Targets = ReadonlyMap<string, ConditionTarget>

const numberTypes: readonly QuestionType[] = ['nps', 'csat', 'ces', 'rating', 'number']
const singleChoiceTypes: readonly QuestionType[] = ['single_choice', 'yes_no', 'consent']

function operatorsOf(type: QuestionType): readonly string[] {
  if (type === 'statement') return []
  if (numberTypes.includes(type) || type === 'date') return [...presenceOperators, ...comparisonOperators]
  if (singleChoiceTypes.includes(type)) return [...presenceOperators, ...choiceOperators]
  return type === 'multiple_choice' ? [...presenceOperators, ...listOperators] : presenceOperators
}

/** Lists the problems of a condition. `targets` has the questions that it may name. */
export function listConditionProblems(path: string, condition: unknown, targets: Targets): InputError[] {
  let leaves = 0
  const problem = (at: string, code: string, message: string): InputError[] => [{ in: 'body', path: at, code, message }]

  function check(at: string, part: unknown, depth: number): InputError[] {
    if (leaves > maxConditionLeaves) return []
    if (typeof part !== 'object' || part === null || Array.isArray(part))
      return problem(at, 'type', 'A condition must be an object.')
    const [name, ...others] = Object.keys(part)
    if ((name === 'all' || name === 'any') && !others.length)
      return checkGroup(`${at}/${name}`, (part as Record<string, unknown>)[name], depth)
    leaves++
    if (leaves > maxConditionLeaves)
      return problem(path, 'max_items', `A condition must not have more than ${maxConditionLeaves} comparisons.`)
    return listLeafProblems(part as Record<string, unknown>, targets).flatMap(({ path: within, code, message }) =>
      problem(`${at}${within}`, code, message),
    )
  }

  function checkGroup(at: string, parts: unknown, depth: number): InputError[] {
    if (depth === maxConditionDepth)
      return problem(at, 'max_depth', `Conditions must not be nested more than ${maxConditionDepth} levels deep.`)
    if (!Array.isArray(parts) || !parts.length || parts.length > maxConditionLeaves)
      return problem(at, 'min_items', `A group must have 1 to ${maxConditionLeaves} conditions.`)
    return parts.flatMap((part, index) => check(`${at}/${index}`, part, depth + 1))
  }

  return check(path, condition, 1)
}

type LeafProblem = { path: string; code: string; message: string }

function listLeafProblems(leaf: Record<string, unknown>, targets: Targets): LeafProblem[] {
  const { question, op, value, ...others } = leaf
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined || question === undefined)
    return [{ path: '', code: 'format', message: 'A condition must have `all`, `any`, or `question` with `op`.' }]
  const target = typeof question === 'string' ? targets.get(question) : undefined
  if (!target) {
    const message = `\`question\` must be the key of an earlier question, not ${shortenText(JSON.stringify(question), 60)}.`
    return [{ path: '/question', code: 'unknown_question', message }]
  }
  const operators = operatorsOf(target.question_type)
  if (typeof op !== 'string' || !operators.includes(op)) {
    const allowed = operators.join(', ') || 'none'
    return [{ path: '/op', code: 'enum', message: `\`op\` must be allowed for ${target.question_type}: ${allowed}.` }]
  }
  const message = describeValueProblem(op as ConditionLeaf['op'], value, target)
  return message === undefined ? [] : [{ path: '/value', code: 'invalid_value', message }]
}

function describeValueProblem(op: ConditionLeaf['op'], value: unknown, target: ConditionTarget): string | undefined {
  if (op === 'answered' || op === 'not_answered')
    return value === undefined ? undefined : '`value` is not allowed with this operator.'
  const takesList = op === 'in' || op === 'not_in' || op.startsWith('contains')
  if (!takesList) return isValueOf(target, value) ? undefined : '`value` must be a possible answer to the question.'
  if (!Array.isArray(value) || !value.length || value.length > 50) return '`value` must be a list of 1 to 50 answers.'
  return value.every((item) => isValueOf(target, item)) ? undefined : '`value` must only have options of the question.'
}

function isValueOf({ question_type, options, rules }: ConditionTarget, value: unknown): boolean {
  if (numberTypes.includes(question_type)) return typeof value === 'number' && Number.isFinite(value)
  if (question_type === 'date') return typeof value === 'string' && isDate(value)
  if (question_type === 'yes_no' || question_type === 'consent') return typeof value === 'boolean'
  if (value === otherOption) return rules.allow_other === true
  return liveOptions(options).some(({ key }) => key === value)
}

export function keysIn(condition: Condition | null): string[] {
  if (condition === null) return []
  if ('all' in condition) return condition.all.flatMap(keysIn)
  return 'any' in condition ? condition.any.flatMap(keysIn) : [condition.question]
}

type Positioned = ConditionTarget & { show_if: Condition | null; end_if: Condition | null }

/** Lists the problems of all conditions of questions in order: they can only name earlier questions, `end_if` also its own. */
export function listOrderProblems(
  questions: readonly Positioned[],
  pathOf: (question: Positioned, index: number) => string,
): InputError[] {
  const targets = new Map<string, ConditionTarget>()
  return questions.flatMap((question, index) => {
    const path = pathOf(question, index)
    const showProblems = question.show_if ? listConditionProblems(`${path}/show_if`, question.show_if, targets) : []
    targets.set(question.key, question)
    const endProblems = question.end_if ? listConditionProblems(`${path}/end_if`, question.end_if, targets) : []
    return [...showProblems, ...endProblems]
  })
}
