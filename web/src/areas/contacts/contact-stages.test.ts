import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBackward } from '../../../../src/modules/crm/records/person-keys/lifecycle.rules.ts'
import { canFollow, contactStages, needsReason } from './contact-stages.ts'

test('a reason is asked for where the API requires one', () => {
  for (const from of contactStages)
    for (const to of contactStages)
      assert.equal(needsReason(from, to), to === 'former_customer' || isBackward(from, to), `${from} to ${to}`)
})

test('only customers can become former customers', () => {
  assert.deepEqual(
    contactStages.filter((from) => canFollow(from, 'former_customer')),
    ['customer', 'evangelist'],
  )
  assert.equal(canFollow('former_customer', 'customer'), true)
  assert.equal(canFollow('lead', 'lead'), false)
})
