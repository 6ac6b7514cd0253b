import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CadenceStats } from '../cadence-queries.ts'
import { listTiles, toEnds, toReplies } from './result-charts.ts'

const totals = {
  enrolled: 486,
  active: 80,
  paused: 4,
  completed: 318,
  exited: 84,
  exited_by_reason: { replied: 41, bounced: 14, removed: 0 },
  sent: 879,
  delivered: 865,
  bounced: 14,
  tasks_done: 505,
  tasks_skipped: 57,
  persons_delivered: 462,
  persons_replied: 41,
  opted_out: 6,
  reply_rate: 0.0887,
  bounce_rate: null,
  opt_out_rate: 0.013,
} as unknown as CadenceStats['totals']

const step = (position: number | null, type: string, replied: number, delivered: number) => ({
  step_id: `step${position}`,
  position,
  type,
  replied,
  delivered,
  reply_rate: delivered ? replied / delivered : null,
})
const stats = {
  totals,
  steps: [
    step(1, 'email_auto', 22, 412),
    step(2, 'call', 0, 0),
    step(3, 'email_auto', 0, 0),
    step(null, 'email_auto', 9, 9),
  ],
} as unknown as CadenceStats

test('the tiles show what is known, with the numbers behind each rate', () => {
  const tiles = listTiles(totals, 'en').map(({ value, note, tone }) => [value, note, tone])

  assert.deepEqual(tiles, [
    ['486', '84 wait, 402 ended', undefined],
    ['879', '865 emails delivered', undefined],
    ['8.9%', '41 of 462 people', 'good'],
    [null, '14 of 879 emails', 'bad'],
    ['1.3%', '6 of 462 people', undefined],
    ['505', '57 skipped', undefined],
  ])
})

test('replies are shown of automatic emails that still exist', () => {
  const { rows, finding, format } = toReplies(stats, 'en')

  assert.deepEqual(
    rows.map(({ label, values, note }) => [label, values[0] === null ? null : format(values[0]!), note]),
    [
      ['1 Email', '5.3%', '22 of 412 replied'],
      ['3 Email', null, '0 of 0 replied'],
    ],
  )
  assert.equal(finding, 'Step 1 gets the most replies: 5.3%.')
  assert.equal(toReplies({ ...stats, steps: [] }, 'en').finding, 'No email has been replied to yet.')
})

test('ends are counted by reason, the most frequent first', () => {
  const { rows, finding } = toEnds(totals, 'en')

  assert.deepEqual(
    rows.map(({ label, values }) => [label, ...values]),
    [
      ['Completed', 318],
      ['Replied', 41],
      ['Bounced', 14],
    ],
  )
  assert.equal(finding, 'Most frequent: Completed, 318 of 373.')
})
