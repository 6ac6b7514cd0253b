import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePin } from './parse-pin.ts'
import { addPin, formatPin, isPinned, maxPins, movePin, pathToPin, removePin } from './pins.ts'

test('a pin is the path and the name of a page', () => {
  const pin = { path: '/leads?view=all&q=a+b', label: 'Webinar, A and B' }

  assert.deepEqual(parsePin(formatPin(pin)), pin)
  assert.deepEqual(parsePin('/leads'), { path: '/leads', label: '' })
  assert.equal(formatPin({ path: '/leads', label: 'x'.repeat(500) }).length, 400)
})

test('a page is pinned once, and at most twelve are', () => {
  const many = Array.from({ length: maxPins }, (_, index) => `/campaigns/${index} Campaign`)
  const leads = { path: '/leads', label: 'Leads' }

  assert.deepEqual(addPin(['/leads My leads'], leads), ['/leads My leads'])
  assert.deepEqual(addPin(many, leads), many)
  assert.deepEqual(addPin([], leads), ['/leads Leads'])
  assert.deepEqual([isPinned(many, '/campaigns/1'), isPinned(many, '/campaigns')], [true, false])
  assert.deepEqual(removePin(['/leads Leads', '/deals Deals'], '/leads'), ['/deals Deals'])
})

test('a page is pinned with its filters, but without an open record', () => {
  assert.equal(pathToPin('/leads', '?view=all&q=a+b&open=1&tab=details'), '/leads?view=all&q=a+b')
  assert.equal(pathToPin('/campaigns/1', ''), '/campaigns/1')
  assert.equal(pathToPin('/leads/1', '?tab=details'), '/leads')
})

test('a pin moves by one place and stays at the ends', () => {
  const pinned = ['/a A', '/b B', '/c C']

  assert.deepEqual(movePin(pinned, '/c', -1), ['/a A', '/c C', '/b B'])
  assert.deepEqual(movePin(pinned, '/a', 1), ['/b B', '/a A', '/c C'])
  assert.deepEqual(
    [movePin(pinned, '/a', -1), movePin(pinned, '/c', 1), movePin(pinned, '/x', 1)],
    Array(3).fill(pinned),
  )
})
