import { createContext, useContext } from 'react'
import type { Reference } from './rule/rule-catalogue.ts'
import type { Group } from './rule/rule-tree.ts'
import type { ObjectType, WordOptions } from './rule/rule-words.ts'

export type Count = { count: number; relation: 'eq' | 'gte' }

export type Focus = {
  id: string
  part: 'handle' | 'field' | 'value'
  /** The parameter of a fact whose value gets the focus. */
  parameter?: string
}

export type RuleEditor = {
  tree: Group
  objectType: ObjectType
  words: WordOptions
  currency: string
  problems: ReadonlyMap<string, string>
  counts: ReadonlyMap<string, Count>
  isReadOnly: boolean
  /** The row that was just added, which asks for its field. */
  newId: string | undefined
  /** Changes the rule, unless the new one exceeds a limit. */
  edit: (change: (tree: Group) => Group, focus?: Focus) => void
  noteName: (reference: Reference, name: string) => void
}

export const RuleEditorContext = createContext<RuleEditor | undefined>(undefined)

export const useRuleEditor = (): RuleEditor => useContext(RuleEditorContext)!
