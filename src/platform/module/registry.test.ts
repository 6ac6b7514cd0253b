import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TProperties, Type } from 'typebox'
import { strict } from '#platform/schema'
import { collectExtensions, defineExtensionPoint, extend, mergeSettingsParts } from './module.ts'
import type { SettingsSection } from './registries.ts'

test('a point has the contributions of all modules, in order', () => {
  const colors = defineExtensionPoint<string>('colors')
  const sizes = defineExtensionPoint<number>('sizes')

  const itemsOf = collectExtensions([extend(colors, ['red']), extend(sizes, [1, 2]), extend(colors, ['blue'])])

  assert.deepEqual(itemsOf(colors), ['red', 'blue'])
  assert.deepEqual(itemsOf(sizes), [1, 2])
})

test('a point without contributions is empty, and points of the same name are separate', () => {
  const itemsOf = collectExtensions([extend(defineExtensionPoint<string>('colors'), ['red'])])

  assert.deepEqual(itemsOf(defineExtensionPoint<string>('colors')), [])
})

const partOf = (name: string, properties: TProperties, rest: Partial<SettingsSection> = {}): SettingsSection => ({
  name,
  schema: strict(properties),
  ...rest,
})

test('parts of a settings section become one section with their fields, secrets and checks in order', async () => {
  const problem = (path: string) => [{ path, code: 'invalid', message: 'Invalid.' }]
  const [merged, ...others] = mergeSettingsParts([
    partOf('library', { size: Type.Integer() }, { position: 2, problemsIn: async () => problem('/size') }),
    partOf('mail', { host: Type.String() }),
    partOf(
      'library',
      { color: Type.String() },
      { position: 1, isSensitive: true, secrets: [{ path: 'key', boundTo: [] }] },
    ),
    partOf('library', { shape: Type.String() }, { position: 3, problemsIn: async () => problem('/shape') }),
  ])

  assert.deepEqual(Object.keys(merged!.schema.properties), ['color', 'size', 'shape'])
  assert.partialDeepStrictEqual(merged!.schema, { additionalProperties: false })
  assert.deepEqual([merged!.isSensitive, merged!.secrets], [true, [{ path: 'key', boundTo: [] }]])
  assert.deepEqual(await merged!.problemsIn!(undefined as never, {}), [...problem('/size'), ...problem('/shape')])
  assert.deepEqual(
    others.map(({ name }) => name),
    ['mail'],
  )
})

test('a field that two parts of a settings section have is refused', () => {
  const parts = [partOf('library', { size: Type.Integer() }), partOf('library', { size: Type.String() })]

  assert.throws(() => mergeSettingsParts(parts), /Two parts of the settings section library have the field size/)
})
