// Layers of the web application. A failing test means that code is in the wrong folder.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { areaKeys } from './api/area-keys.ts'
import { queryKeys } from './api/query-keys.ts'

/** Each layer imports only itself and the layers before it. */
const layers = ['texts', 'api', 'ui', 'session', 'charts', 'patterns', 'areas', 'app']

const root = import.meta.dirname
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.ts$|\.gen(\.d)?\.ts$/.test(path))
  .map((path) => ({ path, text: read(path) }))

const imports = files.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g)]
    .map(([, from, dynamic]) => join(dirname(path), (from ?? dynamic)!))
    .filter((target) => !target.startsWith('..'))
    .map((target) => ({ path, target })),
)
const layerOf = (path: string) => path.split('/')[0]!
const areaOf = (path: string) => /^areas\/([^/]+)\//.exec(path)?.[1]
const describe = ({ path, target }: { path: string; target: string }) => `${path} -> ${target}`

test('a layer imports only lower layers', () => {
  const violations = imports
    .filter(({ path, target }) => path.includes('/') && target.includes('/'))
    .filter(({ path, target }) => !layers.slice(0, layers.indexOf(layerOf(path)) + 1).includes(layerOf(target)))

  assert.ok(imports.length > 100, `${imports.length} imports`)
  assert.deepEqual(violations.map(describe), [])
})

test('no file imports itself through others, not even for types', () => {
  const targets = Map.groupBy(imports, ({ path }) => path)
  const isFinished = new Map<string, boolean>()
  const findCircle = (path: string, before: readonly string[]): readonly string[] | undefined => {
    if (isFinished.get(path) === false) return [...before.slice(before.indexOf(path)), path]
    if (isFinished.get(path)) return undefined
    isFinished.set(path, false)
    for (const { target } of targets.get(path) ?? []) {
      const circle = findCircle(target, [...before, path])
      if (circle) return circle
    }
    isFinished.set(path, true)
  }

  assert.equal(files.map(({ path }) => findCircle(path, [])?.join(' -> ')).find(Boolean), undefined)
})

test('areas do not import each other', () => {
  const violations = imports.filter(
    ({ path, target }) => areaOf(path) && areaOf(target) && areaOf(path) !== areaOf(target),
  )

  assert.deepEqual(violations.map(describe), [])
})

test('only the shell imports pages of areas, through their routes', () => {
  const violations = imports.filter(
    ({ path, target }) => layerOf(path) === 'app' && areaOf(target) && !/\/routes\.tsx$/.test(target),
  )

  assert.deepEqual(violations.map(describe), [])
})

test('every key of cached responses is written once and read by one query', () => {
  const keysOf = (value: unknown): unknown[][] => {
    if (Array.isArray(value)) return [value]
    if (typeof value === 'function') return [value({ type: 'lead', id: 'x' }, 'y')]
    return Object.values(value as object).flatMap(keysOf)
  }
  const keys = keysOf({ ...queryKeys, ...areaKeys }).map((key) => JSON.stringify(key))
  const elsewhere = files.filter(
    ({ path, text }) => !/^api\/(query|area)-keys\.ts$/.test(path) && /\bqueryKey: \['/.test(text),
  )
  const queries = files.flatMap(({ path, text }) =>
    [...text.matchAll(/queryKey: (?:query|area)Keys\.([\w.]+)[^\n]*\n\s*queryFn/g)].map(([, key]) => ({ path, key })),
  )
  const readTwice = [...Map.groupBy(queries, ({ key }) => key).values()].filter(({ length }) => length > 1)

  assert.deepEqual(
    elsewhere.map(({ path }) => path),
    [],
  )
  assert.equal(new Set(keys).size, keys.length)
  assert.ok(queries.length > 20, `${queries.length} queries`)
  assert.deepEqual(readTwice, [])
})

test('a component that is loaded later has an error boundary', () => {
  const violations = files.filter(({ path, text }) => path !== 'ui/lazy-part.tsx' && /\blazy\(/.test(text))

  assert.deepEqual(
    violations.map(({ path }) => path),
    [],
  )
})

test('no file writes HTML, which Trusted Types would block', () => {
  const violations = files.filter(({ text }) => /dangerouslySetInnerHTML|\.(inner|outer)HTML\b/.test(text))

  assert.deepEqual(
    violations.map(({ path }) => path),
    [],
  )
})

test('colors are defined in tokens.css only', () => {
  const styles = globSync('**/*.css', { cwd: root }).filter((path) => path !== 'ui/tokens.css')
  const violations = styles.filter((path) => /#[\da-f]{3,8}\b/i.test(read(path)))

  assert.deepEqual(violations, [])
})

test('README names every area that has pages', () => {
  const row = /^\| (.*) \| in the web application \|$/m.exec(read('../../README.md'))?.[1] ?? ''
  const areas = new Set(files.map(({ path }) => areaOf(path)).filter((area) => area !== undefined))

  assert.ok(areas.size > 0)
  for (const area of areas) assert.match(row, new RegExp(`\\b${area}\\b`))
})
