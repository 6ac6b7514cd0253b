import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserPreferences } from '../../../session/user-preferences.ts'
import { defineSearch } from '../list-search.ts'
import { changeList, findOwnView, listOf, parseViews, toStoredView, withoutView, withView } from './own-views.ts'
import { readStoredViews } from './read-stored-views.ts'

const search = defineSearch({
  filters: { owner: /^me$/, source: /^[a-z]+$/, grade: /^[ABC]$/ },
  views: { queue: { owner: 'me' }, all: {} },
  sorts: ['queue', '-score'],
})
const columns = { name: 'Name', status: 'Status', owner: 'Owner' }
const definition = { search, standardColumns: ['name', 'status'], texts: { columns } } as never
const preferences = { lists: { accounts: { columns: ['name'], views: [] } } } as unknown as UserPreferences

test('a stored view shows what the list knows', () => {
  const stored = toStoredView('Webinar', { view: 'all', source: 'webinar' })

  assert.deepEqual(stored, { name: 'Webinar', search: 'view=all&source=webinar' })
  assert.deepEqual(
    parseViews({ search }, { views: [{ name: 'Webinar', search: 'view=all&source=webinar&sort=phone' }] }).map(
      (view) => view.search,
    ),
    [{ view: 'all', source: 'webinar' }],
  )
})

test('views that a browser stored are read without those that are not valid', () => {
  const webinar = { source: 'webinar', view: 'all' }
  const stored = [{ name: 'Webinar', search: webinar }, { name: 7, search: {} }, 'view', null]

  assert.deepEqual(readStoredViews({ search }, JSON.stringify(stored)), [toStoredView('Webinar', webinar)])
  assert.deepEqual(
    ['{', null, '{}'].map((text) => readStoredViews({ search }, text)),
    [[], [], []],
  )
})

test('a view is recognized by what it shows, whether its columns are those of the view or of the list', () => {
  const views = parseViews(
    { search },
    { views: [toStoredView('Grade A', { grade: 'A', columns: 'name,owner' }), toStoredView('Own', { owner: 'me' })] },
  )
  const find = (shown: object, keys = ['name', 'owner']) =>
    findOwnView({ definition, views, search: shown, standard: 'queue', columns: keys })?.name

  assert.equal(find({ view: 'queue', grade: 'A', open: '01a1ec64-79c5-77d4-a252-899cb736abd3' }), 'Grade A')
  assert.equal(find({ grade: 'A' }, ['name', 'status']), undefined)
  assert.equal(find({ grade: 'A', sort: '-score' }), undefined)
  assert.equal(find({}, ['name', 'status']), 'Own')
})

test('a view replaces the one of its name and leaves other lists as they are', () => {
  const view = (name: string, text: string) => ({ name, search: text })
  const save = (before: UserPreferences, one: ReturnType<typeof view>): UserPreferences => ({
    ...before,
    ...changeList('leads', withView(one))(before),
  })

  const saved = [view('A', 'q=1'), view('B', 'q=2'), view('A', 'q=3')].reduce(save, preferences)
  const rest = { ...saved, ...changeList('leads', withoutView('B'))(saved) }

  assert.deepEqual(listOf(saved, 'leads').views, [view('B', 'q=2'), view('A', 'q=3')])
  assert.deepEqual(listOf(rest, 'leads').views, [view('A', 'q=3')])
  assert.deepEqual(rest.lists.accounts, preferences.lists.accounts)
})
