import { withWords } from '../../../api/field-messages.ts'
import { ruleTexts } from '../../../texts/en/rule-texts.ts'
import { type Catalogue, readCondition } from './rule-catalogue.ts'
import { type Group, listConditions, listPointers } from './rule-tree.ts'

export type RuleProblem = { path: string; code: string; message: string }

/** The message of each line or group with a problem. A problem belongs to the innermost node around its pointer. */
export function problemsByNode(tree: Group, problems: readonly RuleProblem[], prefix = ''): Map<string, string> {
  const pointers = listPointers(tree)
  const found = new Map<string, string>()
  for (const problem of problems) {
    if (!problem.path.startsWith(prefix)) continue
    const id = findNodeAt(pointers, problem.path.slice(prefix.length))
    if (id && !found.has(id)) found.set(id, ruleTexts.problem(problem.code) ?? withWords(problem.message))
  }
  return found
}

function findNodeAt(pointers: ReadonlyMap<string, string>, path: string): string | undefined {
  for (let pointer = path; ; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    const id = pointers.get(pointer)
    if (id || pointer === '') return id
  }
}

/** The lines whose field, fact or comparison does not exist, which is known without asking the server. */
export function findUnknown(tree: Group, catalogue: Catalogue): Map<string, string> {
  const found = new Map<string, string>()
  for (const { id, rule } of listConditions(tree)) {
    const condition = readCondition(rule, catalogue)
    const code =
      condition.kind === 'unknown' && Object.keys(rule).length > 0
        ? 'fact' in rule
          ? 'unknown_fact'
          : 'unknown_field'
        : condition.kind === 'field' && !condition.operator
          ? 'unknown_op'
          : undefined
    if (code) found.set(id, ruleTexts.problem(code)!)
  }
  return found
}
