import { isProblem } from '../../../api/problem.ts'
import type { PreviewState } from '../../../patterns/rule-builder/rule/preview-schedule.ts'
import {
  type Catalogue,
  findIncomplete,
  withoutIncomplete,
} from '../../../patterns/rule-builder/rule/rule-catalogue.ts'
import { findUnknown, problemsByNode, type RuleProblem } from '../../../patterns/rule-builder/rule/rule-problems.ts'
import { type Group, listPointers, type Rule, ruleKey, toRule } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import type { Count } from '../../../patterns/rule-builder/rule-editor.ts'
import type { Preview } from '../../../patterns/rule-builder/use-preview.ts'
import { ruleTexts } from '../../../texts/en/rule-texts.ts'

type Saved = { rules: Rule | null; problems: readonly RuleProblem[] }

/** The problems of a rule that are known without counting it: those of the saved one, and what does not exist. */
export function findKnownProblems(tree: Group, catalogue: Catalogue, saved: Saved): Map<string, string> {
  const isSaved = saved.rules !== null && ruleKey(toRule(tree)) === ruleKey(saved.rules)
  return new Map([...(isSaved ? problemsByNode(tree, saved.problems) : []), ...findUnknown(tree, catalogue)])
}

/** The part of the rule that can be counted; undefined if nothing can, because nothing would match everyone. */
export function toCountable(tree: Group, catalogue: Catalogue, known: ReadonlyMap<string, string>): Group | undefined {
  if (known.size > 0) return undefined
  const countable = withoutIncomplete(tree, catalogue)
  return countable.items.length > 0 || (tree.items.length === 0 && tree.kind === 'all') ? countable : undefined
}

export const findReportedProblems = (
  state: Pick<PreviewState<Preview>, 'status' | 'error'>,
  countable: Group | undefined,
): Map<string, string> =>
  state.status === 'invalid' && countable && isProblem(state.error)
    ? problemsByNode(countable, state.error.errors, '/rules')
    : new Map()

export const markIncomplete = (tree: Group, catalogue: Catalogue): Map<string, string> =>
  new Map(findIncomplete(tree, catalogue).map((id) => [id, ruleTexts.problem('incomplete')!]))

/** The number of each condition of the top level, by its id; none if they belong to another rule. */
export function countsByNode(
  counted: PreviewState<Preview>['counted'],
  countable: Group | undefined,
): ReadonlyMap<string, Count> {
  if (!counted?.result.breakdown || !countable || counted.key !== ruleKey(toRule(countable))) return new Map()
  const pointers = listPointers(countable)
  return new Map(
    counted.result.breakdown.flatMap(({ path, count, count_relation: relation }) => {
      const id = pointers.get(path)
      return id && id !== countable.id ? [[id, { count, relation }] as const] : []
    }),
  )
}
