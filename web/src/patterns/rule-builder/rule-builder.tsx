import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useMe } from '../../session/me.ts'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { startRowDrops } from './load-row-drag.ts'
import { moveNode } from './rule/edit-tree.ts'
import type { Reference } from './rule/rule-catalogue.ts'
import { findExceeded, type Group } from './rule/rule-tree.ts'
import type { ObjectType, WordOptions } from './rule/rule-words.ts'
import { type Count, type Focus, type RuleEditor, RuleEditorContext } from './rule-editor.ts'
import { RuleGroup } from './rule-group.tsx'
import { describePlace, findPart } from './rule-row.tsx'

export type RuleBuilderProps = {
  tree: Group
  /** Changes the latest rule, which an undo can do after the builder was closed. */
  change: (update: (tree: Group) => Group) => void
  objectType: ObjectType
  words: WordOptions
  noteName: (reference: Reference, name: string) => void
  problems: ReadonlyMap<string, string>
  counts: ReadonlyMap<string, Count>
  isReadOnly: boolean
  describedBy?: string
}

export function RuleBuilder(props: RuleBuilderProps) {
  const { tree, change, objectType, words, noteName, problems, counts, isReadOnly, describedBy } = props
  const { currency } = useMe().tenant.general
  const keysId = useId()
  const root = useRef<HTMLElement>(null)
  const focus = useRef<Focus>(undefined)
  const [newId, setNewId] = useState<string>()
  const [message, setMessage] = useState('')

  const edit: RuleEditor['edit'] = (update, next) =>
    change((before) => {
      const after = update(before)
      const exceeded = findExceeded(after)
      if (exceeded && !findExceeded(before)) {
        showToast(ruleTexts.limits[exceeded], { tone: 'failed' })
        return before
      }
      focus.current = next
      setNewId(next?.part === 'field' ? next.id : undefined)
      return after
    })

  useLayoutEffect(() => {
    if (!focus.current) return
    const { id, part, parameter } = focus.current
    focus.current = undefined
    // A new row opens the list of fields, which has the focus then.
    if (part !== 'field') findPart(id, part, parameter)?.focus()
    if (part === 'handle') setMessage(describePlace(tree, id))
  }, [tree])

  const latestEdit = useRef(edit)
  latestEdit.current = edit
  useEffect(() => {
    if (isReadOnly) return
    return startRowDrops(root.current!, (id, place) =>
      latestEdit.current((before) => moveNode(before, id, place), { id, part: 'handle' }),
    )
  }, [isReadOnly])

  const editor = { tree, objectType, words, currency, problems, counts, isReadOnly, newId, edit, noteName }
  return (
    <RuleEditorContext value={editor}>
      <section
        ref={root}
        aria-label={ruleTexts.label}
        aria-describedby={[describedBy, isReadOnly ? undefined : keysId].filter(Boolean).join(' ') || undefined}
      >
        <p id={keysId} hidden>
          {ruleTexts.rowKeys}
        </p>
        <RuleGroup group={tree} level={0} head={<span>{ruleTexts.matching[objectType]}</span>} />
        <p className="visually-hidden" role="status">
          {message}
        </p>
      </section>
    </RuleEditorContext>
  )
}
