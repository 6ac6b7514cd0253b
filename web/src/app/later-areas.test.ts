import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { laterAreas } from './later-areas.ts'

const root = join(import.meta.dirname, '../areas')

test('an area that has a list or the page of a record is no later area', () => {
  const paths = globSync('*/routes.tsx', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bpath: '\/([^'/]*)(?:\/\$\w+)?'/g)].map(([, area]) => area!),
  )

  assert.ok(paths.length > 10)
  assert.deepEqual(
    paths.filter((area) => laterAreas.has(area)),
    [],
  )
})
