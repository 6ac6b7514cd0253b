import { useEffect } from 'react'
import { api, read, type Schemas } from './client.ts'
import { isProblem } from './problem.ts'
import { createStore, useStore } from './store.ts'

export type TaskStatus = Schemas['TaskStatus']

/** A task that this tab follows. Tasks with a label are shown in the shell. */
export type FollowedTask = { id: string; label: string | undefined; status: TaskStatus | undefined }

type Message =
  | { type: 'follow'; id: string; label: string }
  | { type: 'status'; status: TaskStatus }
  | { type: 'dismiss'; id: string }

const pollMs = 2_000
/** Longer than the pauses between two events of a stream. */
const silenceMs = 5_000
const storageKey = 'tasks'
const channel = new BroadcastChannel('tasks')
const eventAt = new Map<string, number>()
const endListeners = new Map<string, ((status: TaskStatus) => void)[]>()
const withoutStream = new Set<string>()

export const followedTasks = createStore<readonly FollowedTask[]>([])

export const isFinished = (status: TaskStatus | undefined): boolean =>
  status !== undefined && status.state !== 'queued' && status.state !== 'running'

/** Shows the progress of a task in the shell of all tabs until the user dismisses it. Resolves when the task has ended. */
export function startTracking(id: string, label: string): Promise<TaskStatus> {
  channel.postMessage({ type: 'follow', id, label } satisfies Message)
  return new Promise((resolve) => {
    endListeners.set(id, [...(endListeners.get(id) ?? []), resolve])
    followTask(id, label)
  })
}

/** Follows a task while it runs, without showing it in the shell. */
export function useTask(id: string | undefined): TaskStatus | undefined {
  useEffect(() => {
    if (id) followTask(id)
  }, [id])
  return useStore(followedTasks).find((task) => task.id === id)?.status
}

export async function cancelTask(id: string): Promise<void> {
  noteStatus(await read(api.POST('/api/tasks/{task_id}/cancel', { params: { path: { task_id: id } } })))
}

export function dismissTask(id: string): void {
  channel.postMessage({ type: 'dismiss', id } satisfies Message)
  removeTask(id)
}

/** Continues to show the tasks of this tab after it was loaded again. Only ids and labels are kept. */
export function restoreTasks(): void {
  const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
  if (Array.isArray(stored)) for (const { id, label } of stored) followTask(String(id), String(label))
}

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.type === 'follow') followTask(data.id, data.label)
  if (data.type === 'status') noteEvent(data.status)
  if (data.type === 'dismiss') removeTask(data.id)
}

function followTask(id: string, label?: string): void {
  const tasks = followedTasks.get()
  const known = tasks.find((task) => task.id === id)
  if (known && (!label || known.label)) return
  const task = { id, label, status: known?.status }
  setTasks(known ? tasks.map((one) => (one === known ? task : one)) : [...tasks, task])
  void pollTasks()
  streamTasks()
}

function noteEvent(status: TaskStatus): void {
  eventAt.set(status.task_id, Date.now())
  noteStatus(status)
}

function noteStatus(status: TaskStatus): void {
  const id = status.task_id
  const task = followedTasks.get().find((one) => one.id === id)
  // Events of the stream, of other tabs and of polling can arrive in another order.
  const isOlder = (task?.status?.progress.done ?? 0) > status.progress.done && !isFinished(status)
  if (!task || isFinished(task.status) || isOlder) return
  setTasks(followedTasks.get().map((one) => (one === task ? { ...one, status } : one)))
  if (!isFinished(status)) return
  for (const resolve of endListeners.get(id) ?? []) resolve(status)
  endListeners.delete(id)
}

const removeTask = (id: string) => setTasks(followedTasks.get().filter((task) => task.id !== id))

function setTasks(tasks: readonly FollowedTask[]): void {
  const shown = tasks.filter(({ label }) => label).map(({ id, label }) => ({ id, label }))
  if (shown.length > 0) sessionStorage.setItem(storageKey, JSON.stringify(shown))
  else sessionStorage.removeItem(storageKey)
  followedTasks.set(tasks)
}

const listUnfinished = () => followedTasks.get().filter(({ status }) => !isFinished(status))

let isPolling = false

/** Reads the tasks that no stream reports. */
async function pollTasks(): Promise<void> {
  if (isPolling) return
  isPolling = true
  for (let tasks = listUnfinished(); tasks.length > 0; tasks = listUnfinished()) {
    const silent = tasks.filter(({ id }) => Date.now() - (eventAt.get(id) ?? 0) > silenceMs)
    const pauses = await Promise.all(silent.map(({ id }) => readStatus(id)))
    await new Promise((resolve) => setTimeout(resolve, Math.max(pollMs, ...pauses)))
  }
  isPolling = false
}

/** Returns the pause that the server asks for, in milliseconds. */
async function readStatus(id: string): Promise<number> {
  try {
    noteStatus(await read(api.GET('/api/tasks/{task_id}/status', { params: { path: { task_id: id } } })))
    return 0
  } catch (error) {
    // The task belongs to another user, or it was deleted.
    if (isProblem(error) && [403, 404].includes(error.status)) removeTask(id)
    return isProblem(error) ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
  }
}

let isWaitingForStream = false

/**
 * Opens one stream per browser, because browsers open few connections to a host: the tab that holds the lock reads the
 * events of its tasks one after the other and passes them on.
 */
function streamTasks(): void {
  if (isWaitingForStream) return
  isWaitingForStream = true
  void navigator.locks.request('task-stream', readStreams).finally(() => {
    isWaitingForStream = false
  })
}

async function readStreams(): Promise<void> {
  const { streamTask } = await import('./task-stream.ts')
  const findNext = () => listUnfinished().find(({ id }) => !withoutStream.has(id))
  for (let task = findNext(); task; task = findNext()) {
    await streamTask(task.id, (status) => {
      noteEvent(status)
      channel.postMessage({ type: 'status', status } satisfies Message)
    })
    // A task that its stream did not finish is polled.
    withoutStream.add(task.id)
  }
}
