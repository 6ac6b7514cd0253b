import { useMemo, useState } from 'react'
import { type Catalogue, nameKey, type ReferenceKind } from '../../../patterns/rule-builder/rule/rule-catalogue.ts'
import { problemsByNode, type RuleProblem } from '../../../patterns/rule-builder/rule/rule-problems.ts'
import { type Rule, toRule } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import { describeRule } from '../../../patterns/rule-builder/rule/rule-words.ts'
import { usePreview } from '../../../patterns/rule-builder/use-preview.ts'
import { useRuleNames } from '../../../patterns/rule-builder/use-rule-names.ts'
import { useMe } from '../../../session/me.ts'
import type { ObjectType, Segment } from '../segment-queries.ts'
import { countsByNode, findKnownProblems, findReportedProblems, markIncomplete, toCountable } from './rule-state.ts'
import type { EditedRule } from './use-rule-draft.ts'

type RulePageOptions = {
  objectType: ObjectType
  catalogue: Catalogue
  edited: EditedRule
  saved: Pick<Segment, 'rules' | 'problems' | 'references'>
  refused: { tree: EditedRule['draft']['tree']; problems: readonly RuleProblem[] } | undefined
  canPreview: boolean
}

export function useRulePage({ objectType, catalogue, edited, saved, refused, canPreview }: RulePageOptions) {
  const { locale } = useMe()
  const { tree, names: chosenNames } = edited.draft
  const [isChecked, setChecked] = useState(false)
  const knownNames = useMemo(
    () => new Map([...saved.references.flatMap(nameOfReference), ...Object.entries(chosenNames)]),
    [saved.references, chosenNames],
  )
  const names = useRuleNames(tree, catalogue, knownNames)
  const words = useMemo(() => ({ catalogue, locale, names }), [catalogue, locale, names])
  const known = findKnownProblems(tree, catalogue, saved)
  const countable = toCountable(tree, catalogue, known)
  const rule: Rule | undefined = canPreview && countable ? toRule(countable) : undefined
  const preview = usePreview(rule, objectType)
  const incomplete = markIncomplete(tree, catalogue)
  const problems = new Map([
    ...known,
    ...findReportedProblems(preview.state, countable),
    ...(refused?.tree === tree ? problemsByNode(tree, refused.problems, '/rules') : []),
    ...(isChecked ? incomplete : []),
  ])
  return {
    words,
    /** Nothing for a new segment, because a rule without conditions matches everyone. */
    sentence: tree.items.length === 0 && saved.rules === null ? [] : describeRule(tree, objectType, words),
    problems,
    incomplete,
    preview,
    countable,
    counts: countsByNode(preview.state.counted, countable),
    check: () => setChecked(true),
  }
}

export type RulePage = ReturnType<typeof useRulePage>

const nameOfReference = ({ kind, ref, name }: Segment['references'][number]): [string, string][] =>
  name ? [[nameKey({ kind: kind as ReferenceKind, id: ref }), name]] : []
