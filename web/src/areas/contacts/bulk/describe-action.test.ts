import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAction } from './describe-action.ts'

test('the question names the action, the number of contacts and what was chosen', () => {
  const describe = (action: Parameters<typeof describeAction>[0]['action'], target?: string) =>
    describeAction({ action }, 300, '300', target)

  assert.equal(describe('delete'), 'Delete 300 contacts')
  assert.equal(describe('opt_out'), 'Opt out 300 contacts')
  assert.equal(describe('assign', 'Ada Moss'), 'Assign 300 contacts to Ada Moss')
  assert.equal(describe('remove_tags', 'fair, north'), 'Remove fair, north from 300 contacts')
  assert.equal(describe('enroll_cadence', 'First steps'), 'Enroll 300 contacts in First steps')
})
