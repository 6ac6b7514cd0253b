import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import {
  findRemoved,
  findStep,
  findStepPast,
  insertAfter,
  insertNode,
  moveNode,
  otherKind,
  removeNode,
  replaceNode,
  type Step,
} from './rule/edit-tree.ts'
import {
  findExceeded,
  findNode,
  findPlace,
  isGroup,
  listNodes,
  newCondition,
  newGroup,
  type Rule,
} from './rule/rule-tree.ts'
import type { Focus, RuleEditor } from './rule-editor.ts'

export const changeRule = ({ edit }: RuleEditor, id: string, rule: Rule, focus?: Focus): void =>
  edit((tree) => replaceNode(tree, id, (node) => [{ ...node, rule }]), focus)

/** Adds a line that asks for its field: after a row, or at the end of a group. */
export function addCondition({ edit }: RuleEditor, at: { after: string } | { groupId: string }): void {
  const row = newCondition({})
  edit((tree) => addAt(tree, row, at), { id: row.id, part: 'field' })
}

export function addGroup({ tree, edit }: RuleEditor, at: { after: string } | { groupId: string }): void {
  const row = newCondition({})
  const group = 'after' in at ? findPlace(tree, at.after)?.group : findNode(tree, at.groupId)
  const kind = otherKind(group && isGroup(group) ? group.kind : tree.kind)
  edit((before) => addAt(before, newGroup(kind, [row]), at), { id: row.id, part: 'field' })
}

function addAt(
  tree: Parameters<typeof insertAfter>[0],
  node: Parameters<typeof insertAfter>[1],
  at: { after: string } | { groupId: string },
) {
  if ('after' in at) return insertAfter(tree, node, at.after)
  const group = findNode(tree, at.groupId)
  return group && isGroup(group) ? insertNode(tree, node, { groupId: group.id, at: group.items.length }) : tree
}

/** Moves a row one step, past a group if it does not fit into it. */
export function moveByStep({ tree, edit }: RuleEditor, id: string, step: Step): void {
  const places = [findStep(tree, id, step), findStepPast(tree, id, step)].filter((place) => place !== undefined)
  const fitting = places.find((place) => !findExceeded(moveNode(tree, id, place))) ?? places[0]
  if (fitting) edit((before) => moveNode(before, id, fitting), { id, part: 'handle' })
}

/** Removes a row, and offers to put it back where it was. */
export function removeRow({ tree, edit }: RuleEditor, id: string): void {
  const removedId = findRemoved(tree, id)
  const node = findNode(tree, removedId)
  const place = findPlace(tree, removedId)
  if (!node || !place) return
  const rows = listNodes(tree)
  const next = rows.slice(rows.findIndex((row) => row.id === removedId) + 1).find((row) => !findNode(node, row.id))
  const neighbor = next ?? rows[rows.findIndex((row) => row.id === removedId) - 1]
  edit((before) => removeNode(before, removedId), neighbor && { id: neighbor.id, part: 'handle' })
  const putBack = () =>
    edit(
      (before) => {
        const group = findNode(before, place.group.id)
        const isThere = group !== undefined && isGroup(group)
        const target = isThere ? group : before
        return insertNode(before, node, {
          groupId: target.id,
          at: isThere ? Math.min(place.at, group.items.length) : target.items.length,
        })
      },
      { id: removedId, part: 'handle' },
    )
  showToast(isGroup(node) ? ruleTexts.groupRemoved : ruleTexts.removed, {
    action: { label: ruleTexts.undo, run: putBack },
  })
}
