// Dependencies between modules, and layers of their folders. A failing test means that code is in the wrong module or folder.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { modules } from './modules.ts'
import { areasOf, moduleLayers } from './testing/module-layers.ts'
import { moduleOf, productFiles, targetOf } from './testing/source-files.ts'

/** Imports of events are allowed everywhere. */
const importsBetweenModules = productFiles.flatMap(({ path, imports }) =>
  imports.flatMap((specifier) => {
    const [from, to] = [moduleOf(path), moduleOf(targetOf(path, specifier))]
    return !from || !to || from === to || specifier === `#events/${to}` ? [] : [{ path, specifier, from, to }]
  }),
)

test('modules are imported through their index, or the rules of the module', () => {
  const violations = importsBetweenModules.filter(
    ({ to, specifier }) => ![`#modules/${to}`, `#rules/${to}`].includes(specifier),
  )

  assert.deepEqual(violations, [])
})

test('a module imports the modules that it uses, and only those', () => {
  const usesOf = (module: string) => modules.find(({ name }) => name === module)!.uses
  const undeclared = importsBetweenModules.filter(({ from, to }) => !usesOf(from).includes(to))
  const unused = modules.flatMap(({ name, uses }) =>
    uses
      .filter((use) => !importsBetweenModules.some(({ from, to }) => from === name && to === use))
      .map((use) => `${name} -> ${use}`),
  )

  assert.deepEqual([undeclared, unused], [[], []])
})

test('a module uses only modules that come before it', () => {
  const names = modules.map(({ name }) => name)
  const violations = modules.flatMap(({ name, uses }, index) =>
    uses.filter((use) => !names.slice(0, index).includes(use)).map((use) => `${name} -> ${use}`),
  )

  assert.deepEqual(violations, [])
})

test('what a module must not use', () => {
  const forbidden: Record<string, string[]> = {
    coaching: ['crm'],
    pitches: ['crm'],
    learning: ['crm'],
    community: ['crm'],
  }
  const violations = modules.flatMap(({ name, uses }) =>
    uses.filter((use) => forbidden[name]?.includes(use)).map((use) => `${name} -> ${use}`),
  )

  assert.deepEqual(violations, [])
})

test('the folders of every module have layers', () => {
  const found = new Set(productFiles.flatMap(({ path }) => moduleOf(path) ?? []))

  assert.deepEqual(Object.keys(moduleLayers).sort(), [...found].sort())
})

for (const [module, layers] of Object.entries(moduleLayers))
  test(`folders of ${module} import only folders of lower layers`, () => {
    const areas = areasOf(module)
    const folderOf = (path: string) => {
      const [, first, second] = path.match(new RegExp(`^src/modules/${module}/([^/]+)/(?:([^/]+)/)?`)) ?? []
      return first && areas.includes(first) ? `${first}/${second}` : first
    }
    const layerOf = (folder: string) => layers.findIndex((layer) => layer.includes(folder))
    const folders = new Set(productFiles.flatMap(({ path }) => folderOf(path) ?? []))
    const violations = productFiles.flatMap(({ path, imports }) =>
      imports.flatMap((specifier) => {
        const [from, to] = [folderOf(path), folderOf(targetOf(path, specifier))]
        return !from || !to || from === to || layerOf(to) < layerOf(from) ? [] : [`${path} -> ${specifier}`]
      }),
    )

    assert.deepEqual(layers.flat().sort(), [...folders].sort())
    assert.deepEqual(violations, [])
  })

const maxFolders = 21

test('modules without areas, and areas, have few folders', () => {
  const parentOf = (module: string) => (folder: string) =>
    folder.includes('/') ? `${module}/${dirname(folder)}` : module
  const parents = Object.entries(moduleLayers).flatMap(([module, layers]) => layers.flat().map(parentOf(module)))
  const sizes = Map.groupBy(parents, (parent) => parent)
  const large = [...sizes].filter(([parent, folders]) => folders.length > maxFolders && parent !== 'operations')

  assert.deepEqual(
    large.map(([parent, { length }]) => `${parent}: ${length}`),
    [],
  )
})

test('an area has no files of its own, and so no index', () => {
  const violations = productFiles.filter(({ path }) => {
    const [, , module, area, file] = path.split('/')
    return file?.endsWith('.ts') && areasOf(module!).includes(area!) && path.split('/').length === 5
  })

  assert.deepEqual(
    violations.map(({ path }) => path),
    [],
  )
})

test('the file of a module has at most 150 lines', () => {
  const long = productFiles
    .filter(({ path, text }) => path.endsWith('.module.ts') && text.trimEnd().split('\n').length > 150)
    .map(({ path }) => path)

  assert.deepEqual(long, [])
})
