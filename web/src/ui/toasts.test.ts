import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { findUndoable, holdToasts, releaseToasts, removeToast, runToastAction, showToast, toasts } from './toasts.ts'

const listTexts = () => toasts.get().map(({ text }) => text)

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => {
  for (const { id } of toasts.get()) removeToast(id)
  mock.timers.reset()
})

test('a toast stays while the user points at it or a button of it has the focus', () => {
  showToast('Lead deleted.')
  mock.timers.tick(7_000)
  holdToasts('hover')
  holdToasts('focus')
  showToast('Saved.')
  mock.timers.tick(60_000)
  releaseToasts('hover')
  mock.timers.tick(60_000)
  assert.deepEqual(listTexts(), ['Lead deleted.', 'Saved.'])

  releaseToasts('focus')
  mock.timers.tick(7_999)
  assert.deepEqual(listTexts(), ['Lead deleted.', 'Saved.'])
  mock.timers.tick(1)
  assert.deepEqual(listTexts(), [])
})

test('a failure stays until it is dismissed, and the same failure is shown once', () => {
  showToast('The server could not be reached.', { tone: 'failed' })
  showToast('The server could not be reached.', { tone: 'failed' })
  mock.timers.tick(60_000)

  assert.deepEqual(listTexts(), ['The server could not be reached.'])
})

test('the newest action that can be undone is undone, and only once', () => {
  const undone: string[] = []
  const undo = (name: string) => ({ action: { label: 'Undo', run: () => undone.push(name) } })
  showToast('First deleted.', undo('first'))
  showToast('Second deleted.', undo('second'))
  showToast('Saved.')
  showToast('It failed.', { tone: 'failed', action: { label: 'Try again', run: () => undone.push('retry') } })

  for (let times = 0; times < 3; times++) {
    const toast = findUndoable(toasts.get())
    if (toast) runToastAction(toast, toast.actions[0]!)
  }

  assert.deepEqual(undone, ['second', 'first'])
  assert.deepEqual(listTexts(), ['Saved.', 'It failed.'])
})
