import { type startWorkerProcess, waitForBlockedSessions } from '#testing'
import type { LeadLock } from './bulk-leads.ts'
import { requeueActiveJobs } from './queues.ts'
import type { SoakOptions, TestApp, TestWorkspace } from './soak.ts'
import type { TaskMonitor } from './task-monitor.ts'

type WorkerProcess = Awaited<ReturnType<typeof startWorkerProcess>>
type Kills = Pick<SoakOptions, 'size' | 'isShort'> & {
  startWorker(): Promise<WorkerProcess>
  kills: number
  /** Kills the first worker while it waits for this lock, instead of at a share of its progress. */
  lock?: LeadLock
  onStarted?(worker: WorkerProcess): void
}

/** Runs a task while its worker is killed at even shares of its progress and replaced. The last worker is still running. */
export async function killWorkers(
  { owner }: TestApp,
  acme: TestWorkspace,
  task: TaskMonitor,
  first: WorkerProcess,
  { startWorker, size, kills, isShort, lock, onStarted }: Kills,
): Promise<WorkerProcess> {
  let worker = first
  for (let kill = 1; kill <= kills; kill++) {
    if (lock && kill === 1) await waitForBlockedSessions(owner, 1)
    else await task.waitForProgress((size * kill) / (kills + 2))
    await worker.kill()
    task.noteWorkerLoss()
    if (kill === 1) await lock?.release()
    if (isShort) await requeueActiveJobs(acme)
    worker = await startWorker()
    onStarted?.(worker)
  }
  return worker
}
