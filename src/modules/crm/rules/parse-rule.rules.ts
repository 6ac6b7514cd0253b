import { type InputError, invalidInput } from '#platform/errors'
import type { RuleFact } from '#platform/module'
import { parseFact } from './fact.rules.ts'
import { isNegative, isOperatorOf, operatorsOf, positiveOf } from './operators.rules.ts'
import { parseTest } from './parse-test.rules.ts'
import { pointerTo, short } from './read-value.rules.ts'
import type { Rule } from './rule.rules.ts'
import type { Field, Vocabulary } from './vocabulary.rules.ts'

const maxDepth = 5
const maxLeaves = 50
const maxFacts = 10
/** Nobody reads further. */
const maxProblems = 100

/** What is wrong with a rule, as a JSON pointer from the rule's own root. */
export type RuleProblem = Omit<InputError, 'in'>

/** What one parse keeps in mind: the words it knows, what it has found wrong, and how much it has seen. */
type Parse = { vocabulary: Vocabulary; problems: RuleProblem[]; leaves: number; facts: number }

/** Reads a rule, and names everything that is wrong with it at once. */
export function parseRule(written: unknown, vocabulary: Vocabulary): { rule: Rule } | { problems: RuleProblem[] } {
  const parse: Parse = { vocabulary, problems: [], leaves: 0, facts: 0 }
  const rule = parseNode(parse, written, '', 0)
  return rule && !parse.problems.length ? { rule } : { problems: parse.problems }
}

/** The rule, or a refusal that points into the request. */
export function requireRule(
  written: unknown,
  vocabulary: Vocabulary,
  at: Pick<InputError, 'in' | 'path'> = { in: 'body', path: '/rules' },
): Rule {
  const parsed = parseRule(written, vocabulary)
  if ('rule' in parsed) return parsed.rule
  throw invalidInput(parsed.problems.map((problem) => ({ in: at.in, ...problem, path: at.path + problem.path })))
}

function parseNode(parse: Parse, node: unknown, path: string, depth: number): Rule | undefined {
  const shape = 'A rule has exactly one of all, any, not, field or fact.'
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return note(parse, path, 'type', shape)
  const members = new Map(Object.entries(node))
  const kinds = (['all', 'any', 'not', 'field', 'fact'] as const).filter((kind) => members.has(kind))
  const [kind] = kinds
  if (!kind || kinds.length > 1) return note(parse, path, 'shape', shape)
  if (kind === 'field') return parseField(parse, members, path)
  if (kind === 'fact') return parseFactLeaf(parse, members, path)

  refuseOthers(parse, members, [kind], path)
  if (depth === maxDepth) return note(parse, path, 'depth', `Groups nest at most ${maxDepth} deep.`)
  const inside = members.get(kind)
  if (kind === 'not') {
    const part = parseNode(parse, inside, `${path}/not`, depth + 1)
    return part && { kind, part }
  }
  return parseGroup(parse, kind, inside, `${path}/${kind}`, depth + 1)
}

function parseGroup(parse: Parse, kind: 'all' | 'any', inside: unknown, path: string, depth: number) {
  if (!Array.isArray(inside)) return note(parse, path, 'type', 'Give a list of rules.')
  if (kind === 'any' && !inside.length)
    return note(parse, path, 'empty', 'An empty any would match nothing. Give at least one rule.')
  // What says nothing still takes up room.
  if (!inside.length && !countLeaf(parse, path)) return undefined
  const parts: Rule[] = []
  for (const [index, node] of inside.entries()) {
    const part = parseNode(parse, node, `${path}/${index}`, depth)
    if (part) parts.push(part)
    if (parse.leaves > maxLeaves || parse.problems.length === maxProblems) break
  }
  return { kind, parts }
}

function parseField(parse: Parse, members: Map<string, unknown>, path: string): Rule | undefined {
  if (!countLeaf(parse, path)) return undefined
  refuseOthers(parse, members, ['field', 'op', 'value'], path)
  const [key, op, value] = ['field', 'op', 'value'].map((name) => members.get(name))
  const field = fieldOf(parse.vocabulary, key)
  if (!field) return note(parse, `${path}/field`, 'unknown_field', `There is no field ${quoted(key)} to ask about.`)
  const choices = operatorsOf[field.type].join(', ')
  if (op === undefined) return note(parse, `${path}/op`, 'required', `Name an operator: ${choices}.`)
  if (!isOperatorOf(field.type, op))
    return note(parse, `${path}/op`, 'unknown_op', `This field knows no ${quoted(op)}. Choose one of: ${choices}.`)

  const takesNone = ['is_set', 'is_not_set', 'is_me'].includes(op)
  if (takesNone && members.has('value')) return note(parse, `${path}/value`, 'unexpected', `${op} takes no value.`)
  if (!takesNone && !members.has('value')) return note(parse, `${path}/value`, 'required', `${op} needs a value.`)
  if (op === 'is' && typeof value !== 'boolean') return note(parse, `${path}/value`, 'type', 'Give true or false.')

  const test = parseTest(field, positiveOf(op), value, parse.vocabulary, (pointer, code, message) =>
    note(parse, `${path}/value${pointer}`, code, message),
  )
  // What is not known to be true counts as false.
  return test && { kind: 'field', key: String(key), field, test, isNegative: isNegative(op) || value === false }
}

function parseFactLeaf(parse: Parse, members: Map<string, unknown>, path: string): Rule | undefined {
  if (!countLeaf(parse, path)) return undefined
  parse.facts++
  if (parse.facts > maxFacts) {
    const isFirst = parse.facts === maxFacts + 1
    return isFirst ? note(parse, path, 'too_many', `A rule asks for at most ${maxFacts} facts.`) : undefined
  }
  const { facts = [], objectType } = parse.vocabulary
  const { fact: name, ...given } = Object.fromEntries(members)
  const fact = facts.find((known: RuleFact) => known.name === name)
  if (!fact) return note(parse, `${path}/fact`, 'unknown_fact', `There is no fact ${quoted(name)} to ask about here.`)
  if (!fact.objectTypes.includes(objectType))
    return note(parse, `${path}/fact`, 'unknown_fact', `The fact ${fact.name} cannot be asked of this kind of record.`)
  const params = parseFact(fact, given, (pointer, code, message) => note(parse, path + pointer, code, message))
  return params && { kind: 'fact', fact, params }
}

/** The first one too many is named; the rest is not looked at. */
function countLeaf(parse: Parse, path: string): boolean {
  parse.leaves++
  if (parse.leaves === maxLeaves + 1) note(parse, path, 'too_many', `A rule has at most ${maxLeaves} conditions.`)
  return parse.leaves <= maxLeaves
}

const fieldOf = ({ fields }: Vocabulary, key: unknown): Field | undefined =>
  typeof key === 'string' && Object.hasOwn(fields, key) ? fields[key] : undefined

function refuseOthers(parse: Parse, members: Map<string, unknown>, known: string[], path: string): void {
  const others = [...members.keys()].filter((name) => !known.includes(name))
  for (const name of others.slice(0, 10))
    note(parse, `${path}/${pointerTo(name)}`, 'unexpected', 'This does not belong here.')
}

function note({ problems }: Parse, path: string, code: string, message: string): undefined {
  if (problems.length < maxProblems) problems.push({ path, code, message })
}

const quoted = (value: unknown) => (typeof value === 'string' ? `"${short(value)}"` : 'like this')
