import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setKind } from '../../../patterns/rule-builder/rule/edit-tree.ts'
import { toRule, toTree } from '../../../patterns/rule-builder/rule/rule-tree.ts'
import { followSaved, isChanged, keepDraft, readText, startDraft, writeText } from './rule-draft.ts'

const hot = { field: 'grade', op: 'eq', value: 'A' }
const german = { field: 'country', op: 'eq', value: 'DE' }
const saved = { version: 3, rules: { all: [hot, german] } }
const change = (draft = startDraft(saved)) => ({ ...draft, tree: setKind(draft.tree, draft.tree.id, 'any') })

test('a draft is kept for a reload only while it differs from the saved rule', () => {
  const draft = change()

  assert.equal(writeText(startDraft(saved)), '')
  const read = readText(writeText({ ...draft, names: { 'user:1': 'Kim' } }))!
  assert.deepEqual(toRule(read.tree), { any: [hot, german] })
  assert.deepEqual([read.version, read.base, read.names], [3, saved.rules, { 'user:1': 'Kim' }])
  assert.equal(readText(''), undefined)
})

test('the order of members, which the server changes, is no difference', () => {
  const rules = { all: [{ op: 'eq', field: 'grade', value: 'A' }, german] }

  assert.equal(isChanged({ ...startDraft(saved), base: rules }), false)
  assert.equal(followSaved(change(), { version: 4, rules }).isOutdated, false)
})

test('a draft follows a newer version unless both have changed the rule', () => {
  const other = { version: 4, rules: { all: [hot] } }

  assert.deepEqual(followSaved(startDraft(saved), other).draft.base, other.rules)
  assert.deepEqual(toRule(followSaved(startDraft(saved), other).draft.tree), other.rules)
  const draft = change()
  assert.deepEqual(followSaved(draft, { ...saved, version: 4 }).draft.version, 4)
  assert.deepEqual(followSaved(draft, other), { draft, isOutdated: true })
  assert.equal(followSaved(draft, { ...other, version: 2 }).isOutdated, false)
  const same = followSaved(draft, { version: 4, rules: { any: [hot, german] } })
  assert.deepEqual([same.isOutdated, isChanged(same.draft)], [false, false])
})

test('a kept draft replaces the rule of the other user', () => {
  const kept = keepDraft(change(), { version: 4, rules: { all: [hot] } })

  assert.deepEqual([kept.version, kept.base, isChanged(kept)], [4, { all: [hot] }, true])
  assert.equal(followSaved(kept, { version: 4, rules: { all: [hot] } }).isOutdated, false)
})

test('what was changed while the rule was saved stays a change', () => {
  const sent = change()
  const further = { ...sent, tree: toTree({ any: [hot] }) }

  assert.equal(isChanged(keepDraft(sent, { version: 4, rules: toRule(sent.tree) })), false)
  assert.equal(isChanged(keepDraft(further, { version: 4, rules: toRule(sent.tree) })), true)
})
