import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appendToStage,
  type BoardStage,
  type DealBoard,
  type DealSummary,
  moveInBoard,
  removeFromBoard,
  replaceInBoard,
} from './board-moves.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })

const deal = (id: string, stage_key: string, amount: string | null): DealSummary => ({
  id,
  name: id,
  account: null,
  pipeline_id: 'sales',
  stage_key,
  stage_label: stage_key,
  kind: 'open',
  amount: amount === null ? null : euros(amount),
  amount_base: amount === null ? null : euros(amount),
  probability_rate: 0.1,
  forecast_category: 'pipeline',
  close_on: '2026-12-01',
  is_overdue: false,
  next_step: null,
  owner: null,
  days_in_stage: 7,
  last_activity_at: null,
  tags: [],
  custom: {},
  version: 1,
})

const stage = (
  key: string,
  kind: BoardStage['kind'],
  count: number,
  amount: string,
  items: DealSummary[],
): BoardStage => ({
  key,
  label: key,
  kind,
  probability_rate: 0.5,
  count,
  amount: euros(amount),
  weighted: euros('0.00'),
  items,
  next_cursor: null,
})

const board: DealBoard = {
  pipeline: { id: 'sales', name: 'Sales' },
  base_currency: 'EUR',
  as_of: '2026-11-18T00:00:00Z',
  closed_from: '2026-01-01',
  stages: [
    stage('proposal', 'open', 2, '30.00', [deal('a', 'proposal', '20.00'), deal('b', 'proposal', '10.00')]),
    stage('negotiation', 'open', 2, '25.00', [deal('c', 'negotiation', '25.00'), deal('d', 'negotiation', null)]),
    stage('won', 'won', 1, '5.00', []),
  ],
}
const idsOf = ({ stages }: DealBoard) => stages.map(({ items }) => items.map(({ id }) => id).join(''))
const figuresOf = ({ stages }: DealBoard) => stages.map(({ count, amount }) => `${count} ${amount.amount}`)

test('a moved deal is placed by its amount, and both stages have new sums', () => {
  const moved = moveInBoard(board, 'a', 'negotiation')

  assert.deepEqual(idsOf(moved), ['b', 'cad', ''])
  assert.deepEqual(figuresOf(moved), ['1 10.00', '3 45.00', '1 5.00'])
  assert.partialDeepStrictEqual(moved.stages[1]!.items[1], {
    stage_key: 'negotiation',
    days_in_stage: 0,
    probability_rate: 0.5,
  })
})

test('a deal that is moved back has its former place', () => {
  assert.deepEqual(idsOf(moveInBoard(moveInBoard(board, 'a', 'negotiation'), 'a', 'proposal')), idsOf(board))
})

test('a won deal leaves its stage and counts as won', () => {
  const won = moveInBoard(board, 'c', 'won')

  assert.deepEqual(idsOf(won), ['ab', 'd', ''])
  assert.deepEqual(figuresOf(won), ['2 30.00', '1 0.00', '2 30.00'])
})

test('a new amount changes the place and the sum of the stage', () => {
  const changed = replaceInBoard(board, deal('b', 'proposal', '40.00'))

  assert.deepEqual(idsOf(changed), ['ba', 'cd', ''])
  assert.deepEqual(figuresOf(changed)[0], '2 60.00')
})

test('a deal of another pipeline leaves the board, and an unknown deal does not enter it', () => {
  assert.deepEqual(idsOf(replaceInBoard(board, { ...deal('a', 'trial', '1.00'), pipeline_id: 'other' })), [
    'b',
    'cd',
    '',
  ])
  assert.equal(replaceInBoard(board, deal('x', 'proposal', '1.00')), board)
  assert.equal(moveInBoard(board, 'x', 'won'), board)
  assert.deepEqual(figuresOf(removeFromBoard(board, 'a'))[0], '1 10.00')
})

test('the next page of a stage leaves out deals that the board already shows', () => {
  const page = { items: [deal('c', 'proposal', '9.00'), deal('e', 'proposal', '8.00')], next_cursor: 'more' }

  const longer = appendToStage(board, 'proposal', page)

  assert.deepEqual(idsOf(longer), ['abe', 'cd', ''])
  assert.equal(longer.stages[0]!.next_cursor, 'more')
})
