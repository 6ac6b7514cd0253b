import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseDock, type Focus, type Group, orderGroups, toggle } from './navigation-order.ts'

const pathsOfGroup: Record<Group | 'start', string[]> = {
  start: ['/', '/inbox', '/tasks'],
  sell: ['/leads', '/deals', '/accounts', '/contacts'],
  market: ['/campaigns', '/segments', '/cadences', '/surveys'],
  enable: ['/content', '/rooms', '/insights'],
  train: ['/learning', '/coaching', '/pitch', '/readiness'],
  engage: ['/community', '/experts'],
  product: ['/usage', '/usage/ready'],
  data: ['/imports', '/suppressions', '/enrichment'],
  workspace: ['/people', '/trash', '/settings'],
}
const entriesOf = (groups: readonly string[]) =>
  Object.entries(pathsOfGroup)
    .filter(([group]) => groups.includes(group))
    .flatMap(([group, paths]) => paths.map((path) => ({ path, group: group as Group })))
const all = entriesOf(Object.keys(pathsOfGroup))
const focuses: Focus[] = ['sell', 'market', 'enable', 'train', 'support', 'operate']
const describe = (groups: ReturnType<typeof orderGroups>) =>
  groups.map(({ group, isOpen, isInFocus }) => `${isOpen ? '+' : '-'}${group}${isInFocus ? '!' : ''}`).join(' ')

test('the focus opens its groups first, and the others follow as one row each', () => {
  assert.equal(
    describe(orderGroups(all, 'market', [])),
    '+market! +data! +sell! -enable -train -engage -product -workspace',
  )
  assert.equal(
    describe(orderGroups(all, 'operate', [])),
    '+workspace! +data! -sell -market -enable -train -engage -product',
  )
  assert.equal(describe(orderGroups(all, null, [])), describe(orderGroups(all, 'sell', [])))
})

test('every page is in one group of every focus', () => {
  for (const focus of focuses)
    assert.deepEqual(
      orderGroups(all, focus, [])
        .flatMap(({ entries }) => entries.map(({ path }) => path))
        .sort(),
      all
        .filter(({ group }) => (group as string) !== 'start')
        .map(({ path }) => path)
        .sort(),
    )
})

test('every focus has at most 20 rows while the user has pinned nothing', () => {
  for (const focus of focuses) {
    const rows = orderGroups(all, focus, []).map(({ isOpen, entries }) => (isOpen ? entries.length : 1))
    const sum = rows.reduce((before, count) => before + count, pathsOfGroup.start.length)
    assert.ok(sum <= 20, `${focus}: ${sum} rows`)
  }
})

test('the user opens and closes groups against the focus', () => {
  assert.equal(
    describe(orderGroups(all, 'sell', ['sell', 'market', 'unknown'])),
    '-sell! +enable! +market -train -engage -product -data -workspace',
  )
  assert.deepEqual([toggle(['sell'], 'data'), toggle(['sell', 'data'], 'sell')], [['sell', 'data'], ['data']])
})

test('groups without a page are left out, and a focus without any opens those of a seller', () => {
  const few = entriesOf(['start', 'sell', 'workspace'])

  assert.equal(describe(orderGroups(few, 'market', [])), '+sell! -workspace')
  assert.equal(describe(orderGroups(few, 'train', [])), '+sell! -workspace')
  assert.equal(describe(orderGroups(entriesOf(['start']), 'train', [])), '')
})

test('a phone shows two pages of the focus', () => {
  const pathsOf = (entries: typeof all, focus: Focus | null) => chooseDock(entries, focus).map(({ path }) => path)

  assert.deepEqual(
    focuses.map((focus) => pathsOf(all, focus).join(' ')),
    [
      '/leads /tasks',
      '/campaigns /tasks',
      '/content /rooms',
      '/learning /coaching',
      '/community /contacts',
      '/people /settings',
    ],
  )
  const withoutTasks = all.filter(({ path }) => path !== '/tasks')
  assert.deepEqual(pathsOf(withoutTasks, null), ['/leads', '/deals'])
  assert.deepEqual(pathsOf(withoutTasks, 'market'), ['/campaigns', '/segments'])
  assert.deepEqual(pathsOf([], 'market'), [])
})
