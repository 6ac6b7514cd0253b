import { type Group, type Rule, ruleKey, toRule, toTree } from '../../../patterns/rule-builder/rule/rule-tree.ts'

export type RuleDraft = {
  version: number
  base: Rule
  tree: Group
  names: Readonly<Record<string, string>>
}

type Saved = { version: number; rules: Rule | null }

const everything: Rule = { all: [] }

export const startDraft = ({ version, rules }: Saved): RuleDraft => ({
  version,
  base: rules ?? everything,
  tree: toTree(rules ?? everything),
  names: {},
})

export const isChanged = ({ base, tree }: RuleDraft): boolean => ruleKey(toRule(tree)) !== ruleKey(base)

export function writeText(draft: RuleDraft): string {
  if (!isChanged(draft)) return ''
  const { tree, ...others } = draft
  return JSON.stringify({ ...others, rule: toRule(tree) })
}

export function readText(text: string): RuleDraft | undefined {
  if (!text) return undefined
  const { rule, ...others } = JSON.parse(text)
  return { ...others, tree: toTree(rule) }
}

/** Compares the draft with the saved segment, which another user or tab may have changed. */
export function followSaved(draft: RuleDraft, saved: Saved): { draft: RuleDraft; isOutdated: boolean } {
  if (saved.version <= draft.version) return { draft, isOutdated: false }
  const rules = saved.rules ?? everything
  if (ruleKey(rules) === ruleKey(draft.base)) return { draft: { ...draft, version: saved.version }, isOutdated: false }
  if (ruleKey(rules) === ruleKey(toRule(draft.tree)))
    return { draft: { ...draft, version: saved.version, base: rules }, isOutdated: false }
  return isChanged(draft) ? { draft, isOutdated: true } : { draft: startDraft(saved), isOutdated: false }
}

/** The draft based on the rule that is saved by now, which the next save replaces. */
export const keepDraft = (draft: RuleDraft, saved: Saved): RuleDraft => ({
  ...draft,
  version: saved.version,
  base: saved.rules ?? everything,
})
