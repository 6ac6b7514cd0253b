import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAction } from './describe-action.ts'

test('the question names the action and the number of leads', () => {
  const describe = (action: Parameters<typeof describeAction>[0]) => describeAction(action, 300, '300', 'Ada Moss')

  assert.equal(describe({ action: 'delete' }), 'Delete 300 leads')
  assert.equal(describe({ action: 'assign', params: { owner_id: null } }), 'Assign 300 leads to Ada Moss')
  assert.equal(
    describe({ action: 'set_status', params: { status: 'working' } }),
    'Set the status of 300 leads to Working',
  )
})
