import {
  findNode,
  findPlace,
  type Group,
  type GroupKind,
  isGroup,
  newGroup,
  nextId,
  type RuleNode,
} from './rule-tree.ts'

export type Place = { groupId: string; at: number }

/** Replaces the items of one group. Groups without the node stay the same objects. */
function changeItems(tree: Group, groupId: string, change: (items: readonly RuleNode[]) => readonly RuleNode[]): Group {
  if (tree.id === groupId) return { ...tree, items: change(tree.items) }
  let isChanged = false
  const items = tree.items.map((item) => {
    const next = isGroup(item) ? changeItems(item, groupId, change) : item
    isChanged ||= next !== item
    return next
  })
  return isChanged ? { ...tree, items } : tree
}

export const insertNode = (tree: Group, node: RuleNode, { groupId, at }: Place): Group =>
  changeItems(tree, groupId, (items) => items.toSpliced(at, 0, node))

export function insertAfter(tree: Group, node: RuleNode, id: string): Group {
  const place = findPlace(tree, id)
  return place ? insertNode(tree, node, { groupId: place.group.id, at: place.at + 1 }) : tree
}

export function replaceNode(tree: Group, id: string, replace: (node: RuleNode) => readonly RuleNode[]): Group {
  const place = findPlace(tree, id)
  if (!place) return tree
  return changeItems(tree, place.group.id, (items) => items.toSpliced(place.at, 1, ...replace(items[place.at]!)))
}

/** The line or group, or the outermost group around it that has nothing else. */
export function findRemoved(tree: Group, id: string): string {
  const group = findPlace(tree, id)?.group
  return group?.items.length === 1 && group.id !== tree.id ? findRemoved(tree, group.id) : id
}

/** Removes a line or a group, and the groups that would become empty, because an empty one matches no record. */
export const removeNode = (tree: Group, id: string): Group => replaceNode(tree, findRemoved(tree, id), () => [])

export function setKind(tree: Group, id: string, kind: GroupKind): Group {
  const change = ({ form: _, ...group }: Group): Group => ({ ...group, kind })
  if (tree.id === id) return change(tree)
  return replaceNode(tree, id, (node) => [isGroup(node) ? change(node) : node])
}

/** Puts a line or a group into a group of its own, which means something else as soon as it has a second line. */
export function wrapNode(tree: Group, id: string): Group {
  const place = findPlace(tree, id)
  if (!place) return tree
  return replaceNode(tree, id, (node) => [newGroup(otherKind(place.group.kind), [node])])
}

export const otherKind = (kind: GroupKind): GroupKind => (kind === 'all' ? 'any' : 'all')

export const unwrapGroup = (tree: Group, id: string): Group =>
  replaceNode(tree, id, (node) => (isGroup(node) ? node.items : [node]))

export const copyNode = (node: RuleNode): RuleNode =>
  isGroup(node) ? { ...node, id: nextId(), items: node.items.map(copyNode) } : { ...node, id: nextId() }

/** Moves a node to a place, whose index is that before the move. A group cannot be moved into itself. */
export function moveNode(tree: Group, id: string, { groupId, at }: Place): Group {
  const node = findNode(tree, id)
  const from = findPlace(tree, id)
  if (!node || !from || findNode(node, groupId)) return tree
  const isSameGroup = from.group.id === groupId
  if (isSameGroup && (at === from.at || at === from.at + 1)) return tree
  if (isSameGroup)
    return changeItems(tree, groupId, (items) =>
      items.toSpliced(from.at, 1).toSpliced(at > from.at ? at - 1 : at, 0, node),
    )
  // Inserted before the other one is removed, so that a group that becomes empty does not change the index.
  const copy = copyNode(node)
  const moved = removeNode(insertNode(tree, copy, { groupId, at }), id)
  return replaceNode(moved, copy.id, () => [node])
}

export type Step = 'up' | 'down'

/** The place one step further: past a line, into the next group, or out of the own one. */
export function findStep(tree: Group, id: string, step: Step): Place | undefined {
  const place = findPlace(tree, id)
  if (!place) return undefined
  const { group, at } = place
  const neighbor = group.items[step === 'up' ? at - 1 : at + 1]
  if (neighbor && isGroup(neighbor)) return { groupId: neighbor.id, at: step === 'up' ? neighbor.items.length : 0 }
  if (neighbor) return { groupId: group.id, at: step === 'up' ? at - 1 : at + 2 }
  const outer = findPlace(tree, group.id)
  return outer && { groupId: outer.group.id, at: step === 'up' ? outer.at : outer.at + 1 }
}

/** The place past the whole neighbor, for groups that do not fit into it. */
export function findStepPast(tree: Group, id: string, step: Step): Place | undefined {
  const place = findPlace(tree, id)
  const neighbor = place?.group.items[step === 'up' ? place.at - 1 : place.at + 1]
  return place && neighbor && { groupId: place.group.id, at: step === 'up' ? place.at - 1 : place.at + 2 }
}

export function findPlaceOutside(tree: Group, id: string): Place | undefined {
  const inner = findPlace(tree, id)
  const outer = inner && findPlace(tree, inner.group.id)
  return outer && { groupId: outer.group.id, at: outer.at + 1 }
}
