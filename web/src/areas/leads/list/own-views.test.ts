import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOwnView, parseViews } from './own-views.ts'

test('stored views that are not valid are left out', () => {
  const stored = [
    { name: 'Webinar', search: { view: 'all', source: 'webinar', sort: 'phone' } },
    { name: 7, search: {} },
    'view',
    null,
  ]

  assert.deepEqual(parseViews(JSON.stringify(stored)), [
    { name: 'Webinar', search: { view: 'all', source: 'webinar' } },
  ])
  assert.deepEqual([parseViews('{'), parseViews(null), parseViews('{}')], [[], [], []])
})

test('a stored view is recognized by what it shows', () => {
  const views = parseViews(JSON.stringify([{ name: 'Grade A', search: { grade: 'A' } }]))

  const same = findOwnView(views, { view: 'queue', grade: 'A', open: '01a1ec64-79c5-77d4-a252-899cb736abd3' }, 'queue')
  const other = findOwnView(views, { grade: 'A', sort: '-score' }, 'queue')

  assert.deepEqual([same?.name, other], ['Grade A', undefined])
})
