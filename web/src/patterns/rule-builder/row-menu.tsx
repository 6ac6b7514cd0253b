import { ArrowDown, ArrowUp, Copy, CornerUpLeft, Group as GroupIcon, Plus, Trash2, Ungroup } from 'lucide-react'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import type { MenuItem } from '../../ui/menu-model.ts'
import { changeRule, moveByStep, removeRow } from './row-edits.ts'
import {
  copyNode,
  findPlaceOutside,
  insertAfter,
  moveNode,
  type Step,
  unwrapGroup,
  wrapNode,
} from './rule/edit-tree.ts'
import { type FactCondition, hiddenParameters, readCondition } from './rule/rule-catalogue.ts'
import { labelOfParameter } from './rule/rule-labels.ts'
import { findPlace, isGroup, type RuleNode } from './rule/rule-tree.ts'
import type { RuleEditor } from './rule-editor.ts'

export function listRowMenu(editor: RuleEditor, node: RuleNode): MenuItem[] {
  const { tree, edit } = editor
  const { id } = node
  const outside = findPlaceOutside(tree, id)
  const condition = isGroup(node) ? undefined : readCondition(node.rule, editor.words.catalogue)
  const focus = { id, part: 'handle' } as const
  const move = (step: Step) => ({ isDisabled: !canMove(editor, id, step), run: () => moveByStep(editor, id, step) })
  return [
    ...(condition?.kind === 'fact' ? listParameterItems(editor, id, condition) : []),
    { label: ruleTexts.moveUp, icon: <ArrowUp size={14} />, keys: 'Alt+ArrowUp', ...move('up') },
    { label: ruleTexts.moveDown, icon: <ArrowDown size={14} />, keys: 'Alt+ArrowDown', ...move('down') },
    ...(outside
      ? [
          {
            label: ruleTexts.moveOut,
            icon: <CornerUpLeft size={14} />,
            run: () => edit((before) => moveNode(before, id, outside), focus),
          },
        ]
      : []),
    {
      label: ruleTexts.putIntoGroup,
      icon: <GroupIcon size={14} />,
      run: () => edit((before) => wrapNode(before, id), focus),
    },
    // Without the negation the conditions would mean the opposite.
    ...(isGroup(node) && node.kind !== 'none'
      ? [
          {
            label: ruleTexts.ungroup,
            icon: <Ungroup size={14} />,
            run: () => edit((before) => unwrapGroup(before, id), { id: node.items[0]?.id ?? id, part: 'handle' }),
          } as const,
        ]
      : []),
    {
      label: ruleTexts.duplicate,
      icon: <Copy size={14} />,
      run: () => {
        const copy = copyNode(node)
        edit((before) => insertAfter(before, copy, id), { id: copy.id, part: 'handle' })
      },
    },
    { kind: 'line' },
    { label: ruleTexts.remove, icon: <Trash2 size={14} />, run: () => removeRow(editor, id) },
  ]
}

const listParameterItems = (editor: RuleEditor, id: string, condition: FactCondition): MenuItem[] => {
  const hidden = hiddenParameters(condition)
  if (hidden.length === 0) return []
  return [
    ...hidden.map((parameter) => ({
      label: labelOfParameter(parameter),
      icon: <Plus size={14} />,
      run: () =>
        changeRule(
          editor,
          id,
          { ...condition.rule, [parameter.key]: null },
          { id, part: 'value', parameter: parameter.key },
        ),
    })),
    { kind: 'line' },
  ]
}

function canMove({ tree }: RuleEditor, id: string, step: Step): boolean {
  const place = findPlace(tree, id)
  if (!place) return false
  const isFirst = step === 'up' ? place.at === 0 : place.at === place.group.items.length - 1
  return !isFirst || place.group.id !== tree.id
}
