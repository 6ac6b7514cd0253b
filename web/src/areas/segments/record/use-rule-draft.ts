import { useEffect, useMemo } from 'react'
import { readDraft, writeDraft } from '../../../api/drafts.ts'
import { createStore, useStore } from '../../../api/store.ts'
import { nameKey, type Reference } from '../../../patterns/rule-builder/rule/rule-catalogue.ts'
import type { Group, Rule } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import { followSaved, isChanged, type RuleDraft, readText, startDraft, writeText } from './rule-draft.ts'

/** Kept outside of React by segment, because a removed condition can be put back after the page was left. */
const drafts = createStore<Readonly<Record<string, RuleDraft>>>({})

type Edited = { id: string; version: number; rules: Rule | null }

const keyOf = (id: string): string => `segment:${id}`

/** The rule of a segment with the changes of this tab, which survive leaving the page and a reload. */
export function useRuleDraft(segment: Edited) {
  const { id, version, rules } = segment
  const stored = useStore(drafts)[id]
  const first = useMemo(() => readText(readDraft(keyOf(id))) ?? startDraft({ version, rules }), [id, version])
  const { draft, isOutdated } = useMemo(
    () => followSaved(stored ?? first, { version, rules }),
    [stored, first, version],
  )
  const isDirty = isChanged(draft)

  const update = (change: (before: RuleDraft) => RuleDraft) => {
    const next = change(latestOf(id) ?? draft)
    writeDraft(keyOf(id), writeText(next))
    drafts.set({ ...drafts.get(), [id]: next })
  }
  // A newer version is taken over once, so that later changes are based on it.
  useEffect(() => {
    if (draft !== stored) update(() => draft)
  }, [draft, stored])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    if (isDirty) addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])

  return {
    draft,
    isDirty,
    isOutdated,
    update,
    change: (edit: (tree: Group) => Group) => update((before) => ({ ...before, tree: edit(before.tree) })),
    noteName: (reference: Reference, name: string) =>
      update((before) => ({ ...before, names: { ...before.names, [nameKey(reference)]: name } })),
    discard: () => update(() => startDraft({ version, rules })),
    read: () => latestOf(id) ?? draft,
  }
}

export type EditedRule = ReturnType<typeof useRuleDraft>

const latestOf = (id: string): RuleDraft | undefined => drafts.get()[id]

export function forgetDraft(id: string): void {
  writeDraft(keyOf(id), '')
  const { [id]: _, ...others } = drafts.get()
  drafts.set(others)
}
