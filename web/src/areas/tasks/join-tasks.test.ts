import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeZone } from '../../ui/time-zone.ts'
import { nextWeek, tomorrow } from './due-times.ts'
import { type CadenceTask, groupTasks, joinTasks, type ReadList } from './join-tasks.ts'

type OpenTask = Parameters<typeof joinTasks>[0]['items'][number]

const activity = (id: string, due_at: string | null) =>
  ({ id, due_at, subject: id, record: { type: 'lead' } }) as OpenTask
const ofCadence = (activity_id: string, due_at: string) =>
  ({ activity_id, due_at, type: 'call', record: { type: 'contact' } }) as CadenceTask
const all = <Item>(...items: Item[]): ReadList<Item> => ({ items, hasMore: false })
const some = <Item>(...items: Item[]): ReadList<Item> => ({ items, hasMore: true })
const day = (n: number, time = '10:00') => `2026-03-${String(n).padStart(2, '0')}T${time}:00Z`

test('a task of a cadence is one row with its activity, and rows are sorted by due time', () => {
  const rows = joinTasks(
    all(activity('a', day(1)), activity('b', day(3)), activity('c', null)),
    all(ofCadence('b', day(2)), ofCadence('d', day(2))),
  )

  assert.deepEqual(
    rows.map(({ id, dueAt, kind, cadence, activity: found }) => [id, dueAt, kind, Boolean(cadence), Boolean(found)]),
    [
      ['a', day(1), 'task', false, true],
      ['d', day(2), 'call', true, false],
      ['b', day(3), 'call', true, true],
      ['c', null, 'task', false, true],
    ],
  )
})

test('rows that could come after unread ones are not shown yet', () => {
  const idsOf = (...lists: Parameters<typeof joinTasks>) => joinTasks(...lists).map(({ id }) => id)

  assert.deepEqual(idsOf(some(activity('a', day(1))), all(ofCadence('b', day(2)))), ['a'])
  assert.deepEqual(idsOf(all(activity('a', day(1)), activity('c', null)), some(ofCadence('b', day(2)))), ['a', 'b'])
  assert.deepEqual(idsOf(some(activity('c', null)), all(ofCadence('b', day(2)))), ['b', 'c'])
})

test('groups follow the days of the time zone of the user', () => {
  const now = Date.parse(day(10, '20:00'))
  const rows = joinTasks(
    all(
      activity('late', day(10, '19:59')),
      activity('today', day(10, '22:30')),
      activity('midnight', day(10, '23:30')),
      activity('later', day(12, '23:30')),
      activity('undated', null),
    ),
    all(),
  )
  const groupsIn = (zone: string) => {
    setTimeZone(zone)
    return groupTasks(rows, now).map(({ key, rows: ofGroup }) => `${key}: ${ofGroup.map(({ id }) => id).join(' ')}`)
  }

  assert.deepEqual(groupsIn('UTC'), ['late: late', 'today: today midnight', 'later: later', 'undated: undated'])
  assert.deepEqual(groupsIn('Europe/Berlin'), [
    'late: late',
    'today: today',
    'tomorrow: midnight',
    'later: later',
    'undated: undated',
  ])
})

test('a task is postponed to nine in the morning of the next day or Monday', () => {
  setTimeZone('Europe/Berlin')

  assert.equal(tomorrow(Date.parse(day(28, '12:00'))), day(29, '07:00').replace('Z', '.000Z'))
  assert.equal(tomorrow(Date.parse(day(9, '23:30'))), day(11, '08:00').replace('Z', '.000Z'))
  const mondays = [8, 9, 10, 15].map((n) => nextWeek(Date.parse(day(n, '12:00'))).slice(0, 10))
  assert.deepEqual(mondays, ['2026-03-09', '2026-03-16', '2026-03-16', '2026-03-16'])
})
