import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planDeletion, type Reference } from './tenant-rows.rules.ts'

const reference = (from: string, to: string, more: Partial<Reference> = {}): Reference => ({
  from,
  to,
  columns: [`${to}_id`],
  is_clearable: true,
  is_released: false,
  ...more,
})

test('what refers to others is emptied before what it refers to', () => {
  const plan = planDeletion(
    ['users', 'leads', 'teams', 'members'],
    [
      reference('leads', 'users', { is_clearable: false }),
      reference('members', 'teams', { is_clearable: false }),
      reference('members', 'users', { is_clearable: false }),
    ],
  )

  assert.deepEqual(plan, { clear: [], order: ['leads', 'members', 'users', 'teams'] })
})

test('rows that refer to their own kind let go of each other first', () => {
  const manager = reference('users', 'users')
  const parent = reference('sessions', 'sessions', { is_released: true })

  const plan = planDeletion(['users', 'sessions'], [manager, parent])

  assert.deepEqual(plan.clear, [manager])
})

test('a circle is opened where it is weakest', () => {
  const strong = reference('a', 'b', { is_clearable: false })
  const weak = reference('b', 'a')
  const released = reference('b', 'a', { is_released: true })

  assert.deepEqual(planDeletion(['a', 'b'], [strong, weak]), { clear: [weak], order: ['a', 'b'] })
  assert.deepEqual(planDeletion(['a', 'b'], [strong, released]), { clear: [], order: ['a', 'b'] })
  assert.throws(() => planDeletion(['a', 'b'], [strong, { ...weak, is_clearable: false }]), /circle/)
})

test('however tables refer to each other, each is emptied once and never while it is still held', () => {
  const tables = ['a', 'b', 'c', 'd', 'e']
  const table = fc.constantFrom(...tables)
  const anyReference = fc.record({ from: table, to: table, is_released: fc.boolean() })

  fc.assert(
    fc.property(fc.uniqueArray(anyReference, { maxLength: 15 }), (drawn) => {
      const references = drawn.map(({ from, to, is_released }) => reference(from, to, { is_released }))
      const { clear, order } = planDeletion(tables, references)

      assert.deepEqual([...order].sort(), tables)
      for (const one of references) {
        if (one.is_released || clear.includes(one)) continue
        assert.ok(order.indexOf(one.from) < order.indexOf(one.to), `${one.from} -> ${one.to} in ${order}`)
      }
    }),
  )
})
