import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { daysOfSteps } from './step-days.ts'
import {
  adoptLoaded,
  adoptSaved,
  changeStep,
  confirmChanges,
  insertStep,
  isOrderChanged,
  isUnsaved,
  moveStep,
  noteSent,
  rejectSteps,
  removeStep,
  type SentStep,
  type StepEdits,
  saveMine,
  startEdits,
  takeTheirs,
  toRequest,
  undoOrder,
  undoStep,
} from './step-edits.ts'
import { type CadenceStep, newStepValues, type StepValues } from './step-model.ts'
import { listStepProblems } from './step-problems.ts'

type Stored = { version: number; steps: CadenceStep[] }

const email = (subject: string, changes: Partial<StepValues> = {}): StepValues => ({
  ...newStepValues('email_auto', false),
  subject_template: subject,
  body_template: 'Hello',
  ...changes,
})
const toStep = (id: string, values: StepValues): CadenceStep => ({ id, position: 1, ...values })
const stored = (version: number, ...steps: (readonly [string, StepValues])[]): Stored => ({
  version,
  steps: steps.map(([id, values]) => toStep(id, values)),
})
const first = stored(1, ['a', email('A')], ['b', email('B')], ['c', email('C')])
const subjects = ({ steps }: { steps: readonly { values: StepValues }[] }) =>
  steps.map(({ values }) => values.subject_template)

let lastId = 0
/** Stores a request as the API does: known ids are kept, others are new. */
const save = (sent: readonly SentStep[], version: number): Stored =>
  stored(version, ...sent.map(({ id, values }) => [id ?? `new${++lastId}`, values] as const))

test('a step has the day on which it is due', () => {
  const waits = [
    [0, 0],
    [1, 0],
    [3, 0],
    [0, 20],
    [0, 5],
    [4, 0],
  ].map(([delay_days, delay_hours]) => ({
    delay_days: delay_days!,
    delay_hours: delay_hours!,
  }))

  assert.deepEqual(daysOfSteps(waits), [0, 1, 4, 4, 5, 9])
})

test('the problems of a step are those that the API would reject', () => {
  const known = new Set(['title'])
  const problemsOf = (values: Partial<StepValues>) =>
    listStepProblems(email('Hi', values), known).map(({ field, kind, value }) => [field, kind, value].filter(Boolean))

  assert.deepEqual(problemsOf({}), [])
  assert.deepEqual(problemsOf({ subject_template: null, body_template: ' ' }), [
    ['subject_template', 'required'],
    ['body_template', 'required'],
  ])
  assert.deepEqual(problemsOf({ type: 'call', subject_template: null, body_template: null }), [])
  assert.deepEqual(problemsOf({ subject_template: 'As {{ nope }}', body_template: 'As {{ title' }), [
    ['subject_template', 'unknown', 'nope'],
    ['body_template', 'malformed'],
  ])
  assert.deepEqual(problemsOf({ subject_template: 'x'.repeat(201) }), [['subject_template', 'long']])
})

test('what is typed while a save is under way stays and is sent next', () => {
  let edits = changeStep(startEdits(first), 'b', { subject_template: 'B1' })
  edits = insertStep(edits, 3, 'k', email('New'))
  const sent = toRequest(edits)!
  edits = changeStep(noteSent(edits, sent), 'b', { subject_template: 'B12' })
  edits = changeStep(edits, 'k', { body_template: 'Hello Ada' })

  edits = adoptSaved(edits, sent, save(sent, 2))
  const next = toRequest(edits)!
  edits = adoptSaved(edits, next, save(next, 3))

  assert.deepEqual(subjects({ steps: sent }), ['A', 'B1', 'C', 'New'])
  assert.equal(sent[3]!.id, null)
  assert.deepEqual(subjects({ steps: next }), ['A', 'B12', 'C', 'New'])
  assert.match(next[3]!.id!, /^new/, 'the new step is not created twice')
  assert.equal(edits.steps[3]!.values.body_template, 'Hello Ada')
  assert.deepEqual([edits.stored.version, isUnsaved(edits), toRequest(edits)], [3, false, undefined])
})

test('changes of another user at other places are merged', () => {
  let edits = changeStep(startEdits(first), 'b', { subject_template: 'Mine' })
  edits = insertStep(edits, 2, 'k', email('New'))

  edits = adoptLoaded(
    edits,
    stored(2, ['c', email('C')], ['a', email('A', { delay_days: 9 })], ['b', email('B')], ['d', email('D')]),
  )

  assert.deepEqual(subjects(edits), ['C', 'A', 'Mine', 'New', 'D'])
  assert.equal(edits.steps[1]!.values.delay_days, 9)
  assert.deepEqual(edits.conflicts, [])
  assert.deepEqual(subjects({ steps: toRequest(edits)! }), ['C', 'A', 'Mine', 'New', 'D'])
})

test('the same value changed twice is decided by the user, and is not sent before', () => {
  const typed = changeStep(startEdits(first), 'b', { subject_template: 'Mine' })
  const edits = adoptLoaded(typed, stored(2, ['a', email('A')], ['b', email('Theirs')], ['c', email('C')]))

  assert.deepEqual(edits.conflicts, [{ key: 'b', field: 'subject_template', theirs: 'Theirs' }])
  assert.equal(edits.steps[1]!.values.subject_template, 'Mine')
  assert.equal(toRequest(edits), undefined)
  assert.deepEqual(subjects({ steps: toRequest(saveMine(edits, 'b'))! }), ['A', 'Mine', 'C'])
  assert.deepEqual(subjects(takeTheirs(edits, 'b')), ['A', 'Theirs', 'C'])
  assert.equal(toRequest(takeTheirs(edits, 'b')), undefined)
})

test('a step that another user removed disappears, unless it was changed', () => {
  const edits = changeStep(startEdits(first), 'b', { subject_template: 'Mine' })

  const merged = adoptLoaded(edits, stored(2, ['a', email('A')]))

  assert.deepEqual(subjects(merged), ['A', 'Mine'])
  assert.deepEqual(
    toRequest(merged)!.map(({ id }) => id),
    ['a', null],
  )
  assert.deepEqual(
    subjects(adoptLoaded(removeStep(startEdits(first), 'b'), stored(2, ['a', email('A')], ['b', email('B')]))),
    ['A'],
  )
})

test('after a lost response nothing is created twice', () => {
  const typed = insertStep(changeStep(startEdits(first), 'a', { subject_template: 'A1' }), 3, 'k', email('New'))
  const sent = toRequest(typed)!
  const edits = changeStep(noteSent(typed, sent), 'k', { subject_template: 'New 2' })
  const saved = save(sent, 2)

  const same = adoptLoaded(edits, saved)
  const changedSince = adoptLoaded(edits, {
    version: 3,
    steps: saved.steps.map((step) => (step.id === 'c' ? { ...step, delay_days: 7 } : step)),
  })
  const notSaved = adoptLoaded(edits, first)

  for (const adopted of [same, changedSince]) {
    assert.deepEqual(subjects(adopted), ['A1', 'B', 'C', 'New 2'])
    assert.deepEqual(
      toRequest(adopted)!.map(({ id }) => id),
      saved.steps.map(({ id }) => id),
    )
  }
  assert.equal(toRequest(notSaved)![3]!.id, null)
})

test('a step that cannot be sent is left as it is, and the others are saved', () => {
  let edits = changeStep(startEdits(first), 'a', { subject_template: null })
  edits = changeStep(edits, 'b', { subject_template: 'B1' })
  edits = insertStep(edits, 1, 'k', newStepValues('email_auto', false))
  const hasProblem = ({ values }: { values: StepValues }) => listStepProblems(values, undefined).length > 0

  const sent = toRequest(edits, { isInvalid: hasProblem })!
  edits = adoptSaved(edits, sent, save(sent, 2))

  assert.deepEqual(subjects({ steps: sent }), ['A', 'B1', 'C'])
  assert.deepEqual(subjects(edits), [null, null, 'B1', 'C'])
  assert.deepEqual([isUnsaved(edits), toRequest(edits, { isInvalid: hasProblem })], [true, undefined])
})

test('changes of a step in which people wait are sent after the user has confirmed them, once', () => {
  const held = { needsAnswer: ({ key }: { key: string }) => key === 'b' }
  let edits = changeStep(startEdits(first), 'b', { subject_template: 'B1' })
  const before = toRequest(edits, held)
  const sent = toRequest(confirmChanges(edits, 'b'), held)!
  edits = adoptSaved(confirmChanges(edits, 'b'), sent, save(sent, 2))
  const again = changeStep(edits, 'b', { subject_template: 'B2' })

  assert.equal(before, undefined)
  assert.deepEqual(subjects({ steps: sent }), ['A', 'B1', 'C'])
  assert.deepEqual([toRequest(again, held), edits.confirmed], [undefined, []])
  assert.deepEqual(subjects(undoStep(again, 'b')), ['A', 'B1', 'C'])
})

test('a value that the API rejects is sent again when it has changed', () => {
  let edits = changeStep(startEdits(first), 'b', { subject_template: '{{ gone }}' })
  edits = rejectSteps(edits, { b: 'The variable is unknown.' })
  const changed = changeStep(edits, 'b', { subject_template: 'B2' })

  assert.equal(toRequest(edits), undefined)
  assert.deepEqual(subjects({ steps: toRequest(changed)! }), ['A', 'B2', 'C'])
})

test('another channel replaces the step at the same place', () => {
  const edits = changeStep(startEdits(first), 'b', { type: 'call' })
  const sent = toRequest(edits)!
  const saved = adoptSaved(edits, sent, save(sent, 2))

  assert.deepEqual(
    sent.map(({ id }) => id),
    ['a', null, 'c'],
  )
  assert.deepEqual([saved.steps[1]!.key, saved.steps[1]!.values.type, isUnsaved(saved)], ['b', 'call', false])
})

test('steps are moved and get their order back', () => {
  const edits = insertStep(moveStep(moveStep(startEdits(first), 'c', -1), 'c', -1), 1, 'k', email('New'))

  assert.deepEqual(subjects(edits), ['C', 'New', 'A', 'B'])
  assert.deepEqual([isOrderChanged(edits), isOrderChanged(undoOrder(edits))], [true, false])
  assert.deepEqual(subjects(undoOrder(edits)), ['A', 'New', 'B', 'C'])
  assert.deepEqual(subjects(moveStep(startEdits(first), 'a', -1)), ['A', 'B', 'C'])
})

test('random saves of two users lose no text and create no step twice', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('type' as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant('add' as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant('move' as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constantFrom('save' as const, 'lose' as const, 'other' as const), at: fc.nat(5) }),
  )

  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
      let api: Stored = first
      let edits: StepEdits = startEdits(first)
      const typed = new Map<string, string>()
      const sendAll = () => {
        edits = adoptLoaded(edits, api)
        for (const { key } of edits.conflicts) edits = saveMine(edits, key)
        const sent = toRequest(edits)
        if (!sent) return undefined
        edits = noteSent(edits, sent)
        api = save(sent, api.version + 1)
        return sent
      }
      changes.forEach(({ kind, at }, count) => {
        const step = edits.steps[at % Math.max(1, edits.steps.length)]
        const text = `Text ${count}`
        if (kind === 'type' && step) edits = changeStep(edits, step.key, { subject_template: text })
        if (kind === 'type' && step) typed.set(step.key, text)
        if (kind === 'add') edits = insertStep(edits, at, `key${count}`, email(text))
        if (kind === 'add') typed.set(`key${count}`, text)
        if (kind === 'move' && step) edits = moveStep(edits, step.key, 1)
        if (kind === 'other')
          api = stored(
            api.version + 1,
            ...api.steps.map(({ id, position: _, ...values }) => [id, { ...values, delay_days: at }] as const),
          )
        if (kind === 'lose') sendAll()
        const sent = kind === 'save' ? sendAll() : undefined
        if (sent) edits = adoptSaved(edits, sent, api)
      })
      const sent = sendAll()
      if (sent) edits = adoptSaved(edits, sent, api)

      assert.deepEqual(subjects(edits).toSorted(), api.steps.map((step) => step.subject_template).toSorted())
      assert.equal(
        api.steps.length,
        first.steps.length + [...typed.keys()].filter((key) => key.startsWith('key')).length,
      )
      for (const text of typed.values()) assert.ok(subjects(edits).includes(text), `${text} in ${subjects(edits)}`)
    }),
    { numRuns: 300, seed: 46 },
  )
})
