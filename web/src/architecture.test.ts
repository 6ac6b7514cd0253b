// Layers of the web application. A failing test means that code is in the wrong folder.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

/** Folders that each layer may import. */
const allowedLayers: Readonly<Record<string, readonly string[]>> = {
  texts: ['texts'],
  api: ['api'],
  ui: ['ui', 'api', 'texts'],
  patterns: ['patterns', 'ui', 'api', 'texts'],
  areas: ['areas', 'patterns', 'ui', 'api', 'texts'],
  app: ['app', 'areas', 'patterns', 'ui', 'api', 'texts'],
}
/** Parts of the shell that areas and patterns use. */
const usedByAreas = /^app\/(me|commands|preferences|shortcuts|sign-out|impersonation|reauthenticate)\.tsx?$/

const root = import.meta.dirname
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.ts$|\.gen\.d\.ts$/.test(path))
  .map((path) => ({ path, text: read(path) }))

/** Texts name the values that they describe by the types of other layers. */
const withoutTypes = (path: string, text: string) =>
  path.startsWith('texts/') ? text.replace(/^import type [^;]*? from '[^']+'$/gm, '') : text

const imports = files.flatMap(({ path, text }) =>
  [...withoutTypes(path, text).matchAll(/(?:from|import) '(\.[^']+)'|import\('(\.[^']+)'\)/g)]
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
    .filter(({ path, target }) => !allowedLayers[layerOf(path)]?.includes(layerOf(target)))
    .filter(({ path, target }) => !(/^(areas|patterns)\//.test(path) && usedByAreas.test(target)))

  assert.ok(imports.length > 100, `${imports.length} imports`)
  assert.deepEqual(violations.map(describe), [])
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

test('a component that is loaded later has an error boundary', () => {
  const violations = files.filter(({ path, text }) => path !== 'ui/lazy-part.tsx' && /\blazy\b/.test(text))

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
