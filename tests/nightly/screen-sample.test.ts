import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleScreens } from './screen-sample.ts'

const leads = { name: 'Leads', route: '/leads' }
const others = Array.from({ length: 200 }, (_, n) => ({ name: `Screen ${n}`, route: '/deals' }))
const screens = [leads, ...others]
const areas = new Map([
  ['/leads', 'leads'],
  ['/deals', 'deals'],
])
const sample = (commit: string, ...files: string[]) => sampleScreens(screens, areas, { commit, files })

test('the screens of changed areas are checked, and a fifth of the others', () => {
  const drawn = ['a', 'b', 'c'].map((commit) =>
    sample(commit, 'web/src/areas/leads/list/leads-list.tsx', 'src/main.ts'),
  )

  for (const screens of drawn) {
    assert.ok(screens.includes(leads))
    assert.ok(screens.length > 15 && screens.length < 80, `${screens.length} screens`)
  }
  assert.notDeepEqual(drawn[0], drawn[1])
  assert.deepEqual(drawn[0], sample('a', 'web/src/areas/leads/list/leads-list.tsx'))
})

test('every screen is checked after a change of what all areas use, or if the change is unknown', () => {
  const shared = ['web/src/ui/button.tsx', 'web/vite.config.ts', 'tests/web/check-page.ts', 'package-lock.json']

  for (const file of shared) assert.deepEqual(sample('a', file), screens, file)
  assert.deepEqual(sampleScreens(screens, areas, undefined), screens)
})
