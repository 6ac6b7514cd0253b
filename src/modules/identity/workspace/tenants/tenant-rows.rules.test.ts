import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ForeignKey, planDeletion } from './tenant-rows.rules.ts'

const foreignKey = (from: string, to: string, more: Partial<ForeignKey> = {}): ForeignKey => ({
  from,
  to,
  columns: [`${to}_id`],
  is_nullable: true,
  has_delete_action: false,
  ...more,
})

test('referencing tables are deleted before the tables they reference', () => {
  const plan = planDeletion(
    ['users', 'leads', 'teams', 'members'],
    [
      foreignKey('leads', 'users', { is_nullable: false }),
      foreignKey('members', 'teams', { is_nullable: false }),
      foreignKey('members', 'users', { is_nullable: false }),
    ],
  )

  assert.deepEqual(plan, { clear: [], order: ['leads', 'members', 'users', 'teams'] })
})

test('self-references are cleared first', () => {
  const manager = foreignKey('users', 'users')
  const parent = foreignKey('sessions', 'sessions', { has_delete_action: true })

  const plan = planDeletion(['users', 'sessions'], [manager, parent])

  assert.deepEqual(plan.clear, [manager])
})

test('a cycle is broken at a foreign key with a delete action, else at a nullable one', () => {
  const required = foreignKey('a', 'b', { is_nullable: false })
  const nullable = foreignKey('b', 'a')
  const withDeleteAction = foreignKey('b', 'a', { has_delete_action: true })

  assert.deepEqual(planDeletion(['a', 'b'], [required, nullable]), { clear: [nullable], order: ['a', 'b'] })
  assert.deepEqual(planDeletion(['a', 'b'], [required, withDeleteAction]), { clear: [], order: ['a', 'b'] })
  assert.throws(() => planDeletion(['a', 'b'], [required, { ...nullable, is_nullable: false }]), /cycle/)
})

test('for any foreign keys, each table is deleted once and never while it is still referenced', () => {
  const tables = ['a', 'b', 'c', 'd', 'e']
  const table = fc.constantFrom(...tables)
  const anyForeignKey = fc.record({ from: table, to: table, has_delete_action: fc.boolean() })

  fc.assert(
    fc.property(fc.uniqueArray(anyForeignKey, { maxLength: 15 }), (generated) => {
      const foreignKeys = generated.map(({ from, to, has_delete_action }) =>
        foreignKey(from, to, { has_delete_action }),
      )
      const { clear, order } = planDeletion(tables, foreignKeys)

      assert.deepEqual([...order].sort(), tables)
      for (const key of foreignKeys) {
        if (key.has_delete_action || clear.includes(key)) continue
        assert.ok(order.indexOf(key.from) < order.indexOf(key.to), `${key.from} -> ${key.to} in ${order}`)
      }
    }),
  )
})
