import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  completeValue,
  countWords,
  findOpenValue,
  findTemplateProblem,
  listMissing,
  markTemplate,
  nameMissing,
  splitMissing,
  valueAt,
} from './template-text.ts'

const known = new Set(['first_name', 'title', 'sender.name'])

test('values of a text are marked, unknown and missing ones differently', () => {
  const text = 'Hello {{ first_name | there }}, as {{ title }} {{nope}} {{ oops'

  const marked = markTemplate(text, { known, missing: new Set(['title', 'first_name']) })

  assert.deepEqual(
    marked.map(({ kind, text: part }) => [kind, part]),
    [
      ['text', 'Hello '],
      ['value', '{{ first_name | there }}'],
      ['text', ', as '],
      ['missing', '{{ title }}'],
      ['text', ' '],
      ['unknown', '{{nope}}'],
      ['text', ' {{ oops'],
    ],
  )
  assert.deepEqual(
    markTemplate('{{ nope }}', { known: undefined }).map(({ kind }) => kind),
    ['value'],
  )
})

test('the marked parts are always the whole text', () => {
  const piece = fc.constantFrom('{{', '}}', ' first_name ', '|', 'a', '\n', '{', '}', '{{ title }}', '{{ nope | x }}')
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

  fc.assert(
    fc.property(text, (typed) => {
      const marked = markTemplate(typed, { known })
      assert.equal(marked.map((part) => part.text).join(''), typed)
    }),
  )
})

test('the first problem of a text is found with its value', () => {
  const text = 'Hi {{ title }} {{ account.tier }}'
  const problem = findTemplateProblem(text, known)!

  assert.deepEqual([problem.code, valueAt(text, problem)], ['unknown_variable', 'account.tier'])
  assert.equal(findTemplateProblem(text, undefined), undefined, 'names are not known yet')
  assert.equal(findTemplateProblem('Hi {{ title', undefined)?.code, 'malformed_template')
})

test('a value that is being typed is found, and completed where the caret is', () => {
  const type = (text: string) => {
    const caret = text.indexOf('^')
    const typed = text.replace('^', '')
    const open = findOpenValue(typed, caret)
    if (!open) return undefined
    const { end, inserted, caret: after } = completeValue(typed, open.start, caret, 'title')
    const completed = typed.slice(0, open.start) + inserted + typed.slice(end)
    return `${completed.slice(0, after)}^${completed.slice(after)}`
  }

  assert.equal(type('as {{^'), 'as {{ title }}^')
  assert.equal(type('as {{ ti^ at'), 'as {{ title }}^ at')
  assert.equal(type('as {{ ti^tel }} at'), 'as {{ title }}^ at')
  assert.equal(type('as {{ ^ | your role }} at'), 'as {{ title | your role }}^ at')
  assert.equal(type('as {{^ at {{ company }}'), 'as {{ title }}^ at {{ company }}')
  assert.equal(type('as {{ title }} ^'), undefined)
  assert.equal(type('as {{ title | yo^'), undefined)
  assert.equal(type('as {^'), undefined)
})

test('a preview names all missing values at their place', () => {
  const text = 'As {{ title }} at {{ company | your company }} {{title}}'
  const rendered = 'As ⟦title⟧ at Acme ⟦title⟧'

  assert.equal(nameMissing(text), 'As {{ title | ⟦title⟧ }} at {{ company | your company }} {{ title | ⟦title⟧ }}')
  assert.deepEqual(splitMissing(rendered), [
    { text: 'As ' },
    { text: '', missing: 'title' },
    { text: ' at Acme ' },
    { text: '', missing: 'title' },
  ])
  assert.deepEqual(listMissing('⟦first_name⟧?', null, rendered), ['first_name', 'title'])
})

test('words are counted without punctuation', () => {
  assert.equal(countWords('Hello Ada,\n\nwould 20 minutes – this week – suit you?'), 9)
  assert.equal(countWords(' '), 0)
})
