import type { startWorkerProcess } from '#testing'
import { requeueActiveJobs } from './queues.ts'
import type { SoakOptions, TestWorkspace } from './soak.ts'
import type { TaskMonitor } from './task-monitor.ts'

type WorkerProcess = Awaited<ReturnType<typeof startWorkerProcess>>
type Kills = Pick<SoakOptions, 'size' | 'isShort'> & {
  startWorker(): Promise<WorkerProcess>
  kills: number
  onStarted?(worker: WorkerProcess): void
}

/** Runs a task while its worker is killed at even shares of its progress and replaced. The last worker is still running. */
export async function killWorkers(
  acme: TestWorkspace,
  task: TaskMonitor,
  first: WorkerProcess,
  { startWorker, size, kills, isShort, onStarted }: Kills,
): Promise<WorkerProcess> {
  let worker = first
  for (let kill = 1; kill <= kills; kill++) {
    await task.waitForProgress((size * kill) / (kills + 2))
    await worker.kill()
    task.noteWorkerLoss()
    if (isShort) await requeueActiveJobs(acme)
    worker = await startWorker()
    onStarted?.(worker)
  }
  return worker
}
