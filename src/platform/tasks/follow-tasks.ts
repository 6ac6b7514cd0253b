import { systemIn } from '#platform/access'
import { type Db, inTenant, type Listener, listen, outsideTenant } from '#platform/db'
import { type JobLog, onWake } from '#platform/jobs'
import { changesOf, findTask, type SeenTask } from './read-tasks.queries.ts'
import { topicOf } from './task.ts'

/** Told of changes, at most twice a second, and sometimes of what they know already; undefined when the task is gone. */
type Hear = (task: SeenTask | undefined) => void

export type TaskFollower = {
  /** Returns what ends it. */
  follow(tenantId: string, task: { id: string; seq: number }, hear: Hear): () => void
  close(): Promise<void>
}

type Followed = {
  id: string
  tenantId: string
  seq: number
  hearers: Set<Hear>
  isReading: boolean
  readAtMs: number
  timer?: NodeJS.Timeout
}

const lookEveryMs = 1_000
const tellEveryMs = 500
/** A notice can be lost with the process that meant to send it. */
const lookAnywayEveryMs = 15_000

/**
 * Follows tasks for all streams of this process: one connection hears of changes, and while it does not, one statement a
 * second asks for all of them.
 */
export function openTaskFollower({ db, url, log }: { db: Db; url: string; log: JobLog }): TaskFollower {
  const followed = new Map<string, Followed>()
  let listener: Listener | undefined
  let isListening = false
  let isLooking = false
  let lookedAtMs = 0
  let couldHear = false
  let isClosed = false
  const looking = setInterval(() => void look(), lookEveryMs).unref()

  /** The first stream opens the ear, not the start of the process: most never have one. */
  async function startListening(): Promise<void> {
    if (isListening || isClosed) return
    isListening = true
    try {
      listener = await listen(url)
      await onWake(listener, (topic) => plan(followed.get(topic)))
      if (isClosed) await listener.close()
    } catch {
      isListening = false
    }
  }

  async function look(): Promise<void> {
    if (!followed.size || isLooking) return
    void startListening()
    const canHear = listener?.isHearing() ?? false
    const isDue = performance.now() - lookedAtMs > lookAnywayEveryMs
    if (canHear && couldHear && !isDue) return

    isLooking = true
    try {
      await catchUp()
      lookedAtMs = performance.now()
      couldHear = canHear
    } catch (err) {
      log.warn({ err }, 'followed tasks could not be looked at')
    } finally {
      isLooking = false
    }
  }

  async function catchUp(): Promise<void> {
    const seqs = await outsideTenant(db, (tx) => changesOf(tx, [...followed.values()]))
    for (const task of followed.values()) if (seqs.get(task.id) !== task.seq) plan(task)
  }

  function plan(task: Followed | undefined): void {
    if (!task || task.timer || isClosed) return
    const waitMs = Math.max(0, task.readAtMs + tellEveryMs - performance.now())
    task.timer = setTimeout(() => void read(task), waitMs)
  }

  async function read(task: Followed): Promise<void> {
    task.timer = undefined
    if (task.isReading) return plan(task)
    task.isReading = true
    task.readAtMs = performance.now()
    try {
      const seen = await inTenant(db, systemIn(task.tenantId), (tx) => findTask(tx, task.id))
      if (seen) task.seq = seen.seq
      for (const hear of task.hearers) hear(seen)
    } catch (err) {
      log.warn({ err }, 'a followed task could not be read')
    } finally {
      task.isReading = false
    }
  }

  return {
    follow(tenantId, { id, seq }, hear) {
      const task = followed.get(topicOf(id)) ?? {
        ...{ id, tenantId, seq, isReading: false, readAtMs: 0 },
        hearers: new Set<Hear>(),
      }
      followed.set(topicOf(id), task)
      task.hearers.add(hear)
      void startListening()
      // Something may have changed between the read of whoever asks and now.
      plan(task)
      return () => {
        task.hearers.delete(hear)
        if (task.hearers.size) return
        clearTimeout(task.timer)
        followed.delete(topicOf(id))
      }
    },
    async close() {
      isClosed = true
      clearInterval(looking)
      for (const { timer } of followed.values()) clearTimeout(timer)
      await listener?.close()
    },
  }
}
