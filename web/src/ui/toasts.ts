import { createStore } from '../api/store.ts'

export type ToastAction = { label: string; run: () => void }

/** A notice about the result of an action. The first action of a toast that reports success undoes what it reports. */
export type Toast = {
  id: number
  text: string
  tone: 'done' | 'failed'
  actions: readonly ToastAction[]
  /** Id of what the toast is about, if it is removed together with that. */
  subject?: string
}

type ToastOptions = { tone?: Toast['tone']; action?: ToastAction; actions?: readonly ToastAction[]; subject?: string }
type HoldReason = 'hover' | 'focus'

const shownMs = 8_000
const maxShown = 4
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const holdReasons = new Set<HoldReason>()
let lastId = 0

export const toasts = createStore<readonly Toast[]>([])

/** Reports the result of an action. A failure stays until the user dismisses it, because it may offer to try again. */
export function showToast(text: string, { tone = 'done', action, actions = [], subject }: ToastOptions = {}): void {
  lastId += 1
  const toast: Toast = { id: lastId, text, tone, actions: action ? [action, ...actions] : actions, subject }
  const others = toasts.get().filter((other) => other.tone === 'done' || other.text !== text)
  toasts.set([...others, toast].slice(-maxShown))
  startTimer(toast)
}

export function removeToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

export function removeToastsAbout(subject: string): void {
  for (const { id, subject: about } of toasts.get()) if (about === subject) removeToast(id)
}

export function runToastAction({ id }: Toast, { run }: ToastAction): void {
  removeToast(id)
  run()
}

export const findUndoable = (shown: readonly Toast[]): Toast | undefined =>
  shown.findLast(({ tone, actions }) => tone === 'done' && actions.length > 0)

/** Keeps all toasts while the user points at one of them or its buttons have the focus. */
export function holdToasts(reason: HoldReason): void {
  holdReasons.add(reason)
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
}

export function releaseToasts(reason: HoldReason): void {
  if (!holdReasons.delete(reason)) return
  for (const toast of toasts.get()) startTimer(toast)
}

function startTimer({ id, tone }: Toast): void {
  if (tone === 'failed' || holdReasons.size > 0 || timers.has(id)) return
  timers.set(
    id,
    setTimeout(() => removeToast(id), shownMs),
  )
}
