import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rememberList, searchOfList } from './list-places.ts'

test('a link to a list returns to its last filters, without the record that was open', () => {
  rememberList('/leads', { view: 'all', status: 'working', open: 'a', tab: 'details', compose: 'call' })
  rememberList('/leads/0190', { view: 'mine' })

  assert.deepEqual(searchOfList('/leads', '/'), { view: 'all', status: 'working' })
  assert.deepEqual(searchOfList('/leads', '/leads/0190'), { view: 'all', status: 'working' })
  assert.deepEqual(searchOfList('/deals', '/'), {})
})

test('a link to the list that is shown clears its filters', () => {
  rememberList('/people', { q: 'keller' })

  assert.deepEqual(searchOfList('/people', '/people'), {})
})
