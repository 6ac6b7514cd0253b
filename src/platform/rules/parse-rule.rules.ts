import { type InputError, invalidInput, suggestNames } from '#platform/errors'
import type { RuleFact, RuleProblem } from '#platform/module'
import { parseFactParams } from './fact.rules.ts'
import { isNegative, isOperatorOf, operatorsOf, positiveOf, valueKindOf } from './match-rule.rules.ts'
import { parsePredicate } from './parse-predicate.rules.ts'
import { shorten, toPointerSegment } from './parse-value.rules.ts'
import type { Rule } from './rule.rules.ts'
import type { RuleField, RuleVocabulary } from './vocabulary.rules.ts'

const maxDepth = 5
const maxLeaves = 50
const maxFacts = 10
const maxProblems = 100
/** Comparing names is expensive: only the first problems get a suggestion. */
const maxSuggestions = 5

export type RuleLocation = Pick<InputError, 'in' | 'path'>

type ParseState = { vocabulary: RuleVocabulary; problems: RuleProblem[]; leaves: number; facts: number }

export function parseRule(input: unknown, vocabulary: RuleVocabulary): { rule: Rule } | { problems: RuleProblem[] } {
  const state: ParseState = { vocabulary, problems: [], leaves: 0, facts: 0 }
  const rule = parseNode(state, input, '', 0)
  return rule && !state.problems.length ? { rule } : { problems: state.problems }
}

export function parseRuleOrThrow(
  input: unknown,
  vocabulary: RuleVocabulary,
  at: RuleLocation = { in: 'body', path: '/rules' },
): Rule {
  const parsed = parseRule(input, vocabulary)
  if ('rule' in parsed) return parsed.rule
  throw invalidRule(parsed.problems, at)
}

export const invalidRule = (problems: readonly RuleProblem[], at: RuleLocation) =>
  invalidInput(problems.map((problem) => ({ in: at.in, ...problem, path: at.path + problem.path })))

function parseNode(state: ParseState, node: unknown, path: string, depth: number): Rule | undefined {
  const shape = 'A rule must have exactly one of `all`, `any`, `not`, `field` and `fact`.'
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return addProblem(state, path, 'type', shape)
  const members = new Map(Object.entries(node))
  const kinds = (['all', 'any', 'not', 'field', 'fact'] as const).filter((kind) => members.has(kind))
  const [kind] = kinds
  if (!kind || kinds.length > 1) return addProblem(state, path, 'shape', shape)
  if (kind === 'field') return parseField(state, members, path)
  if (kind === 'fact') return parseFact(state, members, path)

  rejectUnknownMembers(state, members, [kind], path)
  if (depth === maxDepth)
    return addProblem(state, path, 'depth', `Groups must not be nested more than ${maxDepth} levels deep.`)
  const content = members.get(kind)
  if (kind === 'not') {
    const part = parseNode(state, content, `${path}/not`, depth + 1)
    return part && { kind, part }
  }
  return parseGroup(state, kind, content, `${path}/${kind}`, depth + 1)
}

function parseGroup(state: ParseState, kind: 'all' | 'any', content: unknown, path: string, depth: number) {
  if (!Array.isArray(content)) return addProblem(state, path, 'type', `\`${kind}\` must be a list of rules.`)
  if (kind === 'any' && !content.length)
    return addProblem(state, path, 'empty', '`any` must contain at least one rule; an empty `any` matches nothing.')
  // An empty group counts as a condition, so that the total size stays limited.
  if (!content.length && !countLeaf(state, path)) return undefined
  const parts: Rule[] = []
  for (const [index, node] of content.entries()) {
    const part = parseNode(state, node, `${path}/${index}`, depth)
    if (part) parts.push(part)
    if (state.leaves > maxLeaves || state.problems.length === maxProblems) break
  }
  return { kind, parts }
}

function parseField(state: ParseState, members: Map<string, unknown>, path: string): Rule | undefined {
  if (!countLeaf(state, path)) return undefined
  rejectUnknownMembers(state, members, ['field', 'op', 'value'], path)
  const [key, op, value] = ['field', 'op', 'value'].map((name) => members.get(name))
  const field = fieldOf(state.vocabulary, key)
  if (!field) {
    const hint = suggest(state, key, Object.keys(state.vocabulary.fields))
    return addProblem(state, `${path}/field`, 'unknown_field', `${describe('Field', key)} does not exist.${hint}`)
  }
  const choices = operatorsOf[field.type].join(', ')
  if (op === undefined)
    return addProblem(state, `${path}/op`, 'required', `\`op\` is required. Choose one of: ${choices}.`)
  if (!isOperatorOf(field.type, op)) {
    const message = `${describe('Operator', op)} is not supported for this field. Choose one of: ${choices}.`
    return addProblem(state, `${path}/op`, 'unknown_op', message)
  }

  const takesNoValue = valueKindOf(op) === 'none'
  if (takesNoValue && members.has('value'))
    return addProblem(state, `${path}/value`, 'unexpected', `\`value\` is not allowed for \`${op}\`.`)
  if (!takesNoValue && !members.has('value'))
    return addProblem(state, `${path}/value`, 'required', `\`value\` is required for \`${op}\`.`)
  if (op === 'is' && typeof value !== 'boolean')
    return addProblem(state, `${path}/value`, 'type', '`value` must be true or false.')

  const predicate = parsePredicate(field, positiveOf(op), value, state.vocabulary, (pointer, code, message) =>
    addProblem(state, `${path}/value${pointer}`, code, message),
  )
  // `is: false` also matches records without a value.
  return (
    predicate && { kind: 'field', key: String(key), field, predicate, isNegative: isNegative(op) || value === false }
  )
}

function parseFact(state: ParseState, members: Map<string, unknown>, path: string): Rule | undefined {
  if (!countLeaf(state, path)) return undefined
  state.facts++
  if (state.facts > maxFacts) {
    const isFirst = state.facts === maxFacts + 1
    const message = `A rule must not have more than ${maxFacts} facts.`
    return isFirst ? addProblem(state, path, 'too_many', message) : undefined
  }
  const { facts = [], objectType } = state.vocabulary
  const { fact: name, ...input } = Object.fromEntries(members)
  const fact = facts.find((known: RuleFact) => known.name === name)
  if (!fact) {
    const names = facts.filter(({ objectTypes }) => objectTypes.includes(objectType)).map((known) => known.name)
    const hint = suggest(state, name, names)
    return addProblem(state, `${path}/fact`, 'unknown_fact', `${describe('Fact', name)} does not exist.${hint}`)
  }
  if (!fact.objectTypes.includes(objectType)) {
    const message = `Fact "${fact.name}" is not available for this type of record.`
    return addProblem(state, `${path}/fact`, 'unknown_fact', message)
  }
  const params = parseFactParams(fact, input, (pointer, code, message) =>
    addProblem(state, path + pointer, code, message),
  )
  return params && { kind: 'fact', fact, params, path }
}

function countLeaf(state: ParseState, path: string): boolean {
  state.leaves++
  if (state.leaves === maxLeaves + 1)
    addProblem(state, path, 'too_many', `A rule must not have more than ${maxLeaves} conditions.`)
  return state.leaves <= maxLeaves
}

const fieldOf = ({ fields }: RuleVocabulary, key: unknown): RuleField | undefined =>
  typeof key === 'string' && Object.hasOwn(fields, key) ? fields[key] : undefined

function rejectUnknownMembers(state: ParseState, members: Map<string, unknown>, known: string[], path: string): void {
  const unknownNames = [...members.keys()].filter((name) => !known.includes(name))
  for (const name of unknownNames.slice(0, 10)) {
    const message = `\`${shorten(name)}\` is not allowed here.`
    addProblem(state, `${path}/${toPointerSegment(name)}`, 'unexpected', message)
  }
}

function addProblem({ problems }: ParseState, path: string, code: string, message: string): undefined {
  if (problems.length < maxProblems) problems.push({ path, code, message })
}

const suggest = ({ problems }: ParseState, name: unknown, known: readonly string[]) =>
  typeof name === 'string' && problems.length < maxSuggestions ? suggestNames(name, known) : ''

const describe = (noun: string, value: unknown) =>
  typeof value === 'string' ? `${noun} "${shorten(value)}"` : `This ${noun.toLowerCase()}`
