import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNeighbor, findSuccessor, type Lanes } from './board-position.ts'

const toLanes = (...lanes: string[]): Lanes => lanes.map((ids) => ({ items: [...ids].map((id) => ({ id })) }))
const lanes = toLanes('abc', '', 'de')

test('up and down stay in the lane', () => {
  assert.equal(findNeighbor(lanes, 'a', 'down'), 'b')
  assert.equal(findNeighbor(lanes, 'b', 'up'), 'a')
  assert.equal(findNeighbor(lanes, 'c', 'down'), undefined)
  assert.equal(findNeighbor(lanes, 'a', 'up'), undefined)
})

test('next and previous continue in the neighboring lane with cards', () => {
  assert.equal(findNeighbor(lanes, 'c', 'next'), 'd')
  assert.equal(findNeighbor(lanes, 'd', 'previous'), 'c')
  assert.equal(findNeighbor(lanes, 'e', 'next'), undefined)
})

test('left and right skip empty lanes and keep the height', () => {
  assert.equal(findNeighbor(lanes, 'b', 'right'), 'e')
  assert.equal(findNeighbor(lanes, 'c', 'right'), 'e')
  assert.equal(findNeighbor(lanes, 'd', 'left'), 'a')
  assert.equal(findNeighbor(lanes, 'a', 'left'), undefined)
})

test('without an active card a key moves to the first card', () => {
  assert.equal(findNeighbor(toLanes('', 'xy'), undefined, 'right'), 'x')
  assert.equal(findNeighbor(toLanes('', ''), undefined, 'right'), undefined)
})

test('a card that leaves the board is followed by its neighbor in the lane', () => {
  assert.equal(findSuccessor(lanes, toLanes('ac', '', 'de'), 'b'), 'c')
  assert.equal(findSuccessor(lanes, toLanes('ab', '', 'de'), 'c'), 'b')
  assert.equal(findSuccessor(toLanes('a', 'd'), toLanes('', 'd'), 'a'), 'd')
  assert.equal(findSuccessor(toLanes('a'), toLanes(''), 'a'), undefined)
})
