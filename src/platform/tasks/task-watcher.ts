import { systemActor } from '#platform/access'
import { type Db, inTenant, type Listener, listen, outsideTenant } from '#platform/db'
import { type JobLog, onWake } from '#platform/jobs'
import { findTask, listTaskSeqs, type TaskSnapshot } from './read-tasks.queries.ts'
import { taskTopic } from './task.ts'

/** Called at most twice a second, possibly with an unchanged task; undefined if the task was deleted. */
type OnTask = (task: TaskSnapshot | undefined) => void

export type TaskWatcher = {
  watch(tenantId: string, task: { id: string; seq: number }, onTask: OnTask): () => void
  close(): Promise<void>
}

type WatchedTask = {
  id: string
  tenantId: string
  seq: number
  callbacks: Set<OnTask>
  isReading: boolean
  readAtMs: number
  timer?: NodeJS.Timeout
}

const pollIntervalMs = 1_000
const callbackIntervalMs = 500
/** Poll interval while notifications work: one can be lost with the process that would have sent it. */
const fallbackPollIntervalMs = 15_000

/** Watches tasks for all streams of this process, with one LISTEN connection or, while it is down, one poll per second. */
export function startTaskWatcher({ db, url, log }: { db: Db; url: string; log: JobLog }): TaskWatcher {
  const watched = new Map<string, WatchedTask>()
  let listener: Listener | undefined
  let isListening = false
  let isPolling = false
  let polledAtMs = 0
  let wasConnected = false
  let isClosed = false
  const pollTimer = setInterval(() => void poll(), pollIntervalMs).unref()

  /** Connects lazily with the first stream, because most processes never have one. */
  async function startListening(): Promise<void> {
    if (isListening || isClosed) return
    isListening = true
    try {
      listener = await listen(url)
      await onWake(listener, (topic) => scheduleRead(watched.get(topic)))
      if (isClosed) await listener.close()
    } catch {
      await listener?.close().catch(() => {})
      listener = undefined
      isListening = false
    }
  }

  async function poll(): Promise<void> {
    if (!watched.size || isPolling) return
    void startListening()
    const isConnected = listener?.isConnected() ?? false
    const isDue = performance.now() - polledAtMs > fallbackPollIntervalMs
    if (isConnected && wasConnected && !isDue) return

    isPolling = true
    try {
      await scheduleChangedTasks()
      polledAtMs = performance.now()
      wasConnected = isConnected
    } catch (err) {
      log.warn({ err }, 'polling of watched tasks failed')
    } finally {
      isPolling = false
    }
  }

  async function scheduleChangedTasks(): Promise<void> {
    const seqs = await outsideTenant(db, (tx) => listTaskSeqs(tx, [...watched.values()]))
    for (const task of watched.values()) if (seqs.get(task.id) !== task.seq) scheduleRead(task)
  }

  function scheduleRead(task: WatchedTask | undefined): void {
    if (!task || task.timer || isClosed) return
    const delayMs = Math.max(0, task.readAtMs + callbackIntervalMs - performance.now())
    task.timer = setTimeout(() => void readTask(task), delayMs)
  }

  async function readTask(task: WatchedTask): Promise<void> {
    task.timer = undefined
    if (task.isReading) return scheduleRead(task)
    task.isReading = true
    task.readAtMs = performance.now()
    try {
      const snapshot = await inTenant(db, systemActor(task.tenantId), (tx) => findTask(tx, task.id))
      if (snapshot) task.seq = snapshot.seq
      for (const onTask of task.callbacks) onTask(snapshot)
    } catch (err) {
      log.warn({ err }, 'reading a watched task failed')
    } finally {
      task.isReading = false
    }
  }

  return {
    watch(tenantId, { id, seq }, onTask) {
      const task = watched.get(taskTopic(id)) ?? {
        id,
        tenantId,
        seq,
        isReading: false,
        readAtMs: 0,
        callbacks: new Set<OnTask>(),
      }
      watched.set(taskTopic(id), task)
      task.callbacks.add(onTask)
      void startListening()
      scheduleRead(task)
      return () => {
        task.callbacks.delete(onTask)
        if (task.callbacks.size) return
        clearTimeout(task.timer)
        watched.delete(taskTopic(id))
      }
    },
    async close() {
      isClosed = true
      clearInterval(pollTimer)
      for (const { timer } of watched.values()) clearTimeout(timer)
      await listener?.close()
    },
  }
}
