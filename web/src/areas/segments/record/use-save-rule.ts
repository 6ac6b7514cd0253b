import { useState } from 'react'
import { isProblem } from '../../../api/problem.ts'
import { saveRecord } from '../../../api/save-record.ts'
import type { RuleProblem } from '../../../patterns/rule-builder/rule/rule-problems.ts'
import { type Group, sortMembers, toRule } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { showToast } from '../../../ui/toast.tsx'
import { reloadSegment, type Segment, storeSegment, updateSegment } from '../segment-queries.ts'
import { keepDraft } from './rule-draft.ts'
import type { EditedRule } from './use-rule-draft.ts'

type Refused = { tree: Group; problems: readonly RuleProblem[] }

const fieldsOf = ({ rules }: Pick<Segment, 'rules'>) => ({ rules: sortMembers(rules) })

/** Saves the rule on the version it is based on. If another user has changed it since, the user decides. */
export function useSaveRule(segment: Segment, edited: EditedRule) {
  const [isSaving, setSaving] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const { id } = segment

  const save = async (): Promise<void> => {
    const { tree, base, version } = edited.read()
    setSaving(true)
    try {
      const result = await saveRecord<Segment>({
        version,
        base: fieldsOf({ rules: base }),
        changes: fieldsOf({ rules: toRule(tree) }),
        fieldsOf,
        send: (changes, current) => updateSegment(id, current, changes),
        reload: () => reloadSegment(id),
      })
      setRefused(undefined)
      // The page shows the question as soon as it has the newer version.
      if (result.kind === 'saved') edited.update((before) => keepDraft(before, result.record))
      storeSegment(result.record)
      if (result.kind === 'saved') showToast(recordTexts.saved)
    } catch (error) {
      if (isProblem(error) && error.errors.length > 0) setRefused({ tree, problems: error.errors })
      else showRepeatableProblem(error, () => void save())
    } finally {
      setSaving(false)
    }
  }
  return { save, isSaving, refused }
}
