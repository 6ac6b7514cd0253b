import type { Schemas } from '../../../api/client.ts'

export type Rule = Schemas['Rule']
export type GroupKind = 'all' | 'any' | 'none'

/** One line of the builder: a comparison of a field, or a fact with its parameters, as the API has it. */
export type Condition = { id: string; rule: Rule }

export type Group = { id: string; kind: GroupKind; items: readonly RuleNode[]; form?: GroupForm }

/** The form that the rule had before: `list` is a negated list of one line, `single` a rule that is no group at all. */
type GroupForm = 'list' | 'single'

export type RuleNode = Condition | Group

export const isGroup = (node: RuleNode): node is Group => 'items' in node

let lastId = 0

/** Ids are for this page only: they keep the focus and the state of a line when it moves. */
export function nextId(): string {
  lastId += 1
  return `n${lastId}`
}

export const newCondition = (rule: Rule): Condition => ({ id: nextId(), rule })

export const newGroup = (kind: GroupKind, items: readonly RuleNode[]): Group => ({ id: nextId(), kind, items })

/** The tree of a rule. `toRule` returns the same rule. */
export function toTree(rule: Rule): Group {
  const node = toNode(rule)
  return isGroup(node) ? node : { ...newGroup('all', [node]), form: 'single' }
}

function toNode(rule: Rule): RuleNode {
  for (const kind of ['all', 'any'] as const) {
    const parts = listIn(rule, kind)
    if (parts) return newGroup(kind, parts.map(toNode))
  }
  const negated = onlyMember(rule, 'not')
  if (!isRule(negated)) return newCondition(rule)
  const alternatives = listIn(negated, 'any')
  if (!alternatives) return newGroup('none', [toNode(negated)])
  const group = newGroup('none', alternatives.map(toNode))
  return alternatives.length === 1 ? { ...group, form: 'list' } : group
}

const isRule = (value: unknown): value is Rule => typeof value === 'object' && value !== null && !Array.isArray(value)

const onlyMember = (rule: Rule, name: string): unknown => (Object.keys(rule).length === 1 ? rule[name] : undefined)

function listIn(rule: Rule, kind: 'all' | 'any'): Rule[] | undefined {
  const list = onlyMember(rule, kind)
  return Array.isArray(list) && list.every(isRule) ? list : undefined
}

export const toRule = (tree: Group): Rule => writeNode(tree, '', () => {})

/** The same for rules that differ only in the order of their members, which the server changes. */
export const ruleKey = (rule: Rule): string => JSON.stringify(sortMembers(rule))

/** The members of each part of the rule in one order, so that rules can be compared. */
export function sortMembers<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sortMembers) as T
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, member]) => [name, sortMembers(member)])) as T
}

/** The node of every JSON pointer of the rule, the nodes before their parts. */
export function listPointers(tree: Group): Map<string, string> {
  const pointers = new Map<string, string>()
  writeNode(tree, '', (pointer, id) => {
    // The pointer of a rule that is no group belongs to its only line.
    pointers.set(pointer, id)
  })
  return pointers
}

type Visit = (pointer: string, id: string) => void

function writeNode(node: RuleNode, pointer: string, visit: Visit): Rule {
  visit(pointer, node.id)
  if (!isGroup(node)) return node.rule
  const { kind, items } = node
  if (kind === 'none' && isNegation(node)) return { not: writeNode(items[0]!, `${pointer}/not`, visit) }
  if (kind === 'none') return { not: { any: writeList(items, `${pointer}/not/any`, visit) } }
  if (node.form === 'single' && items.length === 1) return writeNode(items[0]!, pointer, visit)
  return { [kind]: writeList(items, `${pointer}/${kind}`, visit) }
}

const writeList = (items: readonly RuleNode[], pointer: string, visit: Visit): Rule[] =>
  items.map((item, at) => writeNode(item, `${pointer}/${at}`, visit))

const isNegation = ({ items, form }: Group): boolean => items.length === 1 && form !== 'list'

export const findNode = (tree: RuleNode, id: string): RuleNode | undefined =>
  tree.id === id ? tree : isGroup(tree) ? firstOf(tree.items, (item) => findNode(item, id)) : undefined

export function findPlace(tree: Group, id: string): { group: Group; at: number } | undefined {
  const at = tree.items.findIndex((item) => item.id === id)
  if (at >= 0) return { group: tree, at }
  return firstOf(tree.items, (item) => (isGroup(item) ? findPlace(item, id) : undefined))
}

function firstOf<T>(items: readonly RuleNode[], find: (item: RuleNode) => T | undefined): T | undefined {
  for (const item of items) {
    const found = find(item)
    if (found) return found
  }
}

/** All lines and groups in the order in which they are shown, without the tree itself. */
export const listNodes = (tree: Group): RuleNode[] =>
  tree.items.flatMap((item) => (isGroup(item) ? [item, ...listNodes(item)] : [item]))

export const listConditions = (tree: Group): Condition[] =>
  listNodes(tree).filter((node): node is Condition => !isGroup(node))

export const maxLevels = 5
export const maxConditions = 50
export const maxFacts = 10

/** The groups around the innermost line; a negated list counts twice, as in the API. */
export function countLevels(node: RuleNode): number {
  if (!isGroup(node)) return 0
  const inner = Math.max(0, ...node.items.map(countLevels))
  if (node.kind === 'none') return inner + (isNegation(node) ? 1 : 2)
  return node.form === 'single' && node.items.length === 1 ? inner : inner + 1
}

/** The API counts an empty group as a condition. */
const countConditions = (node: RuleNode): number =>
  isGroup(node)
    ? Math.max(
        1,
        node.items.reduce((sum, item) => sum + countConditions(item), 0),
      )
    : 1

export type RuleLimit = 'levels' | 'conditions' | 'facts'

export function findExceeded(tree: Group): RuleLimit | undefined {
  if (countLevels(tree) > maxLevels) return 'levels'
  if (countConditions(tree) > maxConditions) return 'conditions'
  return listConditions(tree).filter(({ rule }) => 'fact' in rule).length > maxFacts ? 'facts' : undefined
}
