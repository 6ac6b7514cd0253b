import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as Claimed, PgBoss } from 'pg-boss'
import type { Db, Listener, SystemDb } from '#platform/db'
import { newId } from '#platform/ids'
import { openBoss } from './boss.ts'
import { type Claim, giveBack } from './claims.ts'
import { announceGivenUp } from './dead-letters.ts'
import type { Order } from './enqueue.ts'
import type { JobHandler, JobLog } from './job.ts'
import { type Loops, startLoops } from './loops.ts'
import { queues, scheduleQueue, shapes } from './queues.ts'
import { runJobs, type TenantStatus, type Workshop } from './run-jobs.ts'
import { type RunOrder, runSchedule, type Schedule, writeTimetable } from './schedules.ts'
import { onWake } from './wake.ts'

export type Work = {
  systemUrl: string
  db: Db
  systemDb: SystemDb
  handlers: readonly JobHandler[]
  schedules?: readonly Schedule[]
  /** Jobs of a suspended tenant are parked, those of one that is gone have no effect. */
  tenantStatus: TenantStatus
  /** Brings the notices. Without it, and while it hears nothing, jobs are found by looking. */
  listener?: Listener
  log: JobLog
  pollSeconds?: number
}

/** Stops taking jobs, waits for the running ones and gives back what does not end in time. */
export type Working = { stop(): Promise<void> }

const finishMilliseconds = 8_000
const leaveMilliseconds = 2_000
const announceMilliseconds = 5_000

export const workerName = 'tributary worker'

/** Works on what is ordered from now on. Any number of processes may. */
export async function workOnJobs(work: Work): Promise<Working> {
  const { systemUrl, systemDb, db, listener, log, tenantStatus, schedules = [] } = work
  const boss = await openBoss({ systemUrl, name: `${workerName} ${newId()}`, max: 6, log, isSupervising: true })
  const [closing, ending] = [new AbortController(), new AbortController()]
  const shop: Workshop = {
    ...{ db, queueDb: boss.getDb(), handlers: byName(work.handlers), tenantStatus, log },
    ...{ closing: closing.signal, ending: ending.signal },
  }
  const running: Running = new Map()

  const loops = await startAll(boss, shop, running, work)
  await writeTimetable(boss, schedules)
  if (listener) await onWake(listener, (topic) => loops.get(topic)?.wake())
  const announcing = announceRegularly(shop, systemDb)

  return {
    async stop() {
      closing.abort()
      await Promise.all([announcing, stopWorking(boss, running, ending)])
    },
  }
}

function byName(handlers: readonly JobHandler[]): Map<string, JobHandler> {
  const named = new Map(handlers.map((handler) => [handler.job.name, handler]))
  if (named.size < handlers.length) throw new Error('A job has two handlers.')
  return named
}

type Running = Map<string, Set<Claim>>

async function startAll(boss: PgBoss, shop: Workshop, running: Running, work: Work): Promise<Map<string, Loops>> {
  const { schedules = [], systemDb, pollSeconds = 2 } = work
  const all = new Map<string, Loops>()
  for (const queue of queues) {
    const settings = { ...shapes[queue], pollSeconds }
    const run = during(running, queue, (batch: Claimed<Order>[]) => runJobs(shop, queue, batch))
    all.set(queue, await startLoops<Order>(boss, queue, settings, run))
  }
  const timetable = new Map(schedules.map((schedule) => [schedule.name, schedule]))
  const run = during(running, scheduleQueue, (batch: Claimed<RunOrder>[]) =>
    Promise.all(batch.map((job) => runSchedule({ ...shop, systemDb }, timetable, job))),
  )
  const settings = { loops: 2, batchSize: 1, pollSeconds }
  all.set(scheduleQueue, await startLoops<RunOrder>(boss, scheduleQueue, settings, run))
  return all
}

/** Remembers what runs while it runs. */
function during<J extends Claim, R>(running: Running, queue: string, run: (batch: J[]) => Promise<R>) {
  const claims = new Set<Claim>()
  running.set(queue, claims)
  return async (batch: J[]): Promise<R> => {
    for (const job of batch) claims.add(job)
    try {
      return await run(batch)
    } finally {
      for (const job of batch) claims.delete(job)
    }
  }
}

async function announceRegularly(shop: Workshop, systemDb: SystemDb): Promise<void> {
  const { closing, log } = shop
  while (!closing.aborted) {
    await sleep(announceMilliseconds, undefined, { signal: closing }).catch(() => {})
    if (closing.aborted) return
    await announceGivenUp(shop, systemDb).catch((err) => log.warn({ err }, 'dead jobs could not be announced'))
  }
}

async function stopWorking(boss: PgBoss, running: Running, ending: AbortController): Promise<void> {
  // Over when the last job is not only done but settled.
  const finished = Promise.all([...running.keys()].map((queue) => boss.offWork(queue, { wait: true })))
  await within(finishMilliseconds, finished)
  ending.abort()
  await within(leaveMilliseconds, finished)
  for (const [queue, claims] of running) await giveBack(boss.getDb(), queue, [...claims])
  await boss.stop({ graceful: false })
}

async function within(milliseconds: number, finished: Promise<unknown>): Promise<void> {
  const alarm = new AbortController()
  await Promise.race([finished, sleep(milliseconds, undefined, { signal: alarm.signal }).catch(() => {})])
  alarm.abort()
}
