import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  copyNode,
  findPlaceOutside,
  findStep,
  insertAfter,
  insertNode,
  moveNode,
  removeNode,
  setKind,
  unwrapGroup,
  wrapNode,
} from './edit-tree.ts'
import {
  countLevels,
  findExceeded,
  findNode,
  type Group,
  isGroup,
  listConditions,
  listNodes,
  listPointers,
  newCondition,
  newGroup,
  type Rule,
  type RuleNode,
  toRule,
  toTree,
} from './rule-tree.ts'

const field = (name: string): Rule => ({ field: name, op: 'is_set' })

const condition = fc.oneof(
  fc.record({
    field: fc.constantFrom('industry', 'score', 'custom.tier'),
    op: fc.constantFrom('eq', 'in', 'between', 'is_set'),
    value: fc.oneof(fc.string(), fc.integer(), fc.array(fc.string(), { maxLength: 3 })),
  }),
  fc.record({ fact: fc.constantFrom('activity', 'segment'), types: fc.array(fc.string(), { maxLength: 2 }) }),
)

/** Every form of a rule that the API accepts, five levels deep. */
const { rule } = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    condition as fc.Arbitrary<Rule>,
    fc.record({ all: fc.array(tie('rule'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('rule'), { maxLength: 3 }) }),
    fc.record({ not: tie('rule') }),
    fc.record({ not: fc.record({ any: fc.array(tie('rule'), { maxLength: 2 }) }) }),
  ),
}))

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(items.length, 1)]
const rulesIn = (tree: Group): string[] =>
  listConditions(tree)
    .map((one) => JSON.stringify(one.rule))
    .sort()
const hasEmptyGroup = (tree: Group): boolean => listNodes(tree).some((node) => isGroup(node) && !node.items.length)

test('a rule that becomes a tree and a rule again is unchanged, for 2,000 random rules', () => {
  fc.assert(
    fc.property(rule, (one) => assert.equal(JSON.stringify(toRule(toTree(one))), JSON.stringify(one))),
    { numRuns: 2_000, seed: 7 },
  )
})

test('the JSON pointer of a line leads to its rule', () => {
  const read = (from: unknown, pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce((value, name) => (value as Record<string, unknown>)[name], from)

  fc.assert(
    fc.property(rule, (one) => {
      const tree = toTree(one)
      const nodes = [...listPointers(tree)].map(([pointer, id]) => ({ node: findNode(tree, id)!, pointer }))

      const lines = nodes.filter(({ node }) => !isGroup(node))
      assert.deepEqual(
        lines.map(({ pointer }) => read(one, pointer)),
        lines.map(({ node }) => (isGroup(node) ? undefined : node.rule)),
      )
      assert.equal(lines.length, listConditions(tree).length)
    }),
    { numRuns: 300, seed: 7 },
  )
})

test('moving keeps every line once, and leaves no empty group behind', () => {
  fc.assert(
    fc.property(rule, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 }), (one, moves) => {
      let tree = toTree(one)
      fc.pre(!hasEmptyGroup(tree))
      const before = rulesIn(tree)
      for (const [node, group, at] of moves) {
        const groups: Group[] = [tree, ...listNodes(tree).filter(isGroup)]
        const target = pick(groups, group)!
        const moved = pick(listNodes(tree), node)
        if (moved) tree = moveNode(tree, moved.id, { groupId: target.id, at: at % (target.items.length + 1) })
      }

      assert.deepEqual(rulesIn(tree), before)
      assert.equal(hasEmptyGroup(tree), false)
      assert.equal(new Set(listNodes(tree).map(({ id }) => id)).size, listNodes(tree).length)
    }),
    { numRuns: 300, seed: 7 },
  )
})

test('steps up and down visit every place of the rule, into and out of groups', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => newCondition(field(name)))
  const inner = newGroup('any', [b!, c!])
  let tree = newGroup('all', [a!, inner, d!])
  const shape = (node: RuleNode): unknown => (isGroup(node) ? node.items.map(shape) : node.rule.field)
  const seen: unknown[] = []
  for (let place = findStep(tree, a!.id, 'down'); place; place = findStep(tree, a!.id, 'down')) {
    tree = moveNode(tree, a!.id, place)
    seen.push(shape(tree))
  }
  const down = [...seen]
  for (let place = findStep(tree, a!.id, 'up'); place; place = findStep(tree, a!.id, 'up')) {
    tree = moveNode(tree, a!.id, place)
    seen.push(shape(tree))
  }

  assert.deepEqual(down, [
    [['a', 'b', 'c'], 'd'],
    [['b', 'a', 'c'], 'd'],
    [['b', 'c', 'a'], 'd'],
    [['b', 'c'], 'a', 'd'],
    [['b', 'c'], 'd', 'a'],
  ])
  assert.deepEqual(seen.slice(5).reverse().slice(1), down.slice(0, -1))
  assert.deepEqual(shape(tree), ['a', ['b', 'c'], 'd'])
})

test('a group is not moved into itself', () => {
  const inner = newGroup('any', [newCondition(field('a'))])
  const outer = newGroup('any', [inner])
  const tree = newGroup('all', [outer, newCondition(field('b'))])

  assert.equal(moveNode(tree, outer.id, { groupId: inner.id, at: 0 }), tree)
  assert.equal(moveNode(tree, outer.id, { groupId: outer.id, at: 0 }), tree)
})

test('lines are added below others, grouped and taken out of their group', () => {
  const [a, b] = [newCondition(field('a')), newCondition(field('b'))]
  const tree = newGroup('all', [a])

  const added = insertAfter(tree, b, a.id)
  const grouped = wrapNode(added, b.id)
  const group = grouped.items[1] as Group
  const inside = insertNode(grouped, newCondition(field('c')), { groupId: group.id, at: 1 })

  assert.deepEqual(toRule(added), { all: [field('a'), field('b')] })
  assert.deepEqual(toRule(inside), { all: [field('a'), { any: [field('b'), field('c')] }] })
  assert.deepEqual(toRule(unwrapGroup(inside, group.id)), { all: [field('a'), field('b'), field('c')] })
  assert.deepEqual(findPlaceOutside(inside, b.id), { groupId: tree.id, at: 2 })
  assert.deepEqual(toRule(setKind(inside, group.id, 'none')), {
    all: [field('a'), { not: { any: [field('b'), field('c')] } }],
  })
  assert.deepEqual(toRule(setKind(grouped, group.id, 'none')), { all: [field('a'), { not: field('b') }] })
  assert.deepEqual(toRule(setKind(added, added.id, 'any')), { any: [field('a'), field('b')] })
})

test('a group disappears with its last line, and the rule itself stays', () => {
  const [a, b] = [newCondition(field('a')), newCondition(field('b'))]
  const tree = newGroup('all', [newGroup('any', [newGroup('none', [a])]), b])

  const without = removeNode(tree, a.id)

  assert.deepEqual(toRule(without), { all: [field('b')] })
  assert.deepEqual(toRule(removeNode(without, b.id)), { all: [] })
})

test('a rule of one line stays as it is until a second one is added', () => {
  const tree = toTree(field('a'))
  const [line] = tree.items

  assert.deepEqual(toRule(tree), field('a'))
  assert.deepEqual(toRule(insertAfter(tree, newCondition(field('b')), line!.id)), { all: [field('a'), field('b')] })
  assert.deepEqual([...listPointers(tree)], [['', line!.id]])
})

test('a copy has its own ids', () => {
  const tree = toTree({ any: [field('a'), { not: field('b') }] })
  const copy = copyNode(tree) as Group

  assert.deepEqual(toRule(copy), toRule(tree))
  const ids = new Set([...listNodes(tree), ...listNodes(copy)].map(({ id }) => id))
  assert.equal(ids.size, listNodes(tree).length * 2)
})

test('a rule has at most five levels, of which a negated list takes two, 50 conditions and 10 facts', () => {
  const nest = (levels: number): Rule => (levels === 0 ? field('a') : { all: [nest(levels - 1)] })
  const list = (length: number, one: Rule): Rule => ({ all: Array.from({ length }, () => one) })

  assert.equal(countLevels(toTree(nest(5))), 5)
  assert.equal(countLevels(toTree({ not: { any: [field('a'), field('b')] } })), 2)
  assert.equal(countLevels(toTree({ not: field('a') })), 1)
  assert.equal(findExceeded(toTree(nest(5))), undefined)
  assert.equal(findExceeded(toTree(nest(6))), 'levels')
  assert.equal(findExceeded(toTree({ all: [nest(4)] })), undefined)
  assert.equal(findExceeded(toTree({ not: { any: [nest(4), field('b')] } })), 'levels')
  assert.equal(findExceeded(toTree(list(50, field('a')))), undefined)
  assert.equal(findExceeded(toTree(list(51, field('a')))), 'conditions')
  assert.equal(findExceeded(toTree(list(51, { all: [] }))), 'conditions')
  assert.equal(findExceeded(toTree(list(11, { fact: 'activity' }))), 'facts')
})
