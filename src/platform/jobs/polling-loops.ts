import type { Job as ClaimedJob, JobResult, PgBoss } from 'pg-boss'

type Loop = { id: string; isBusy: boolean }
type LoopOptions = { loops: number; batchSize: number; maxPerTenant?: number; pollSeconds: number }

export type PollingLoops = {
  wake(): void
  /** Ends the polling of an empty queue. The loops are stopped by pg-boss. */
  stop(): void
}

/** In pg-boss every loop polls. One poll is enough for all loops of a queue, so they sleep until they are woken. */
const sleepSeconds = 3_600

/** Two loops take turns, so that one with a slow batch or a silent connection does not delay the others. */
const firstLoops = 2

/**
 * Starts loops that poll again immediately after a batch and sleep when the queue is empty; a full batch wakes the next loop, or starts
 * it. Every `pollSeconds` one idle loop polls.
 */
export async function startPollingLoops<Data extends object>(
  boss: PgBoss,
  queue: string,
  { loops: maxLoops, batchSize, maxPerTenant, pollSeconds }: LoopOptions,
  run: (jobs: ClaimedJob<Data>[]) => Promise<JobResult[]>,
): Promise<PollingLoops> {
  const loops: Loop[] = []
  let isStopped = false
  const options = {
    batchSize,
    perJobResults: true,
    pollingIntervalSeconds: sleepSeconds,
    heartbeatRefreshSeconds: 3,
    ...(maxPerTenant && { groupConcurrency: maxPerTenant }),
  } as const

  async function startLoop(): Promise<void> {
    const loop: Loop = { id: '', isBusy: false }
    loops.push(loop)
    loop.id = await boss.work<Data, JobResult[], typeof options>(queue, options, async (jobs) => {
      loop.isBusy = true
      if (jobs.length === batchSize) wake()
      try {
        return await run(jobs)
      } finally {
        loop.isBusy = false
        boss.notifyWorker(loop.id)
      }
    })
  }

  function wake(): void {
    const idle = loops.find(({ isBusy }) => !isBusy)
    if (idle) boss.notifyWorker(idle.id)
    else if (loops.length === maxLoops) for (const { id } of loops) boss.notifyWorker(id)
    else if (!isStopped) void startLoop()
  }

  function poll(): void {
    loops.push(loops.shift()!)
    wake()
  }

  for (let count = 0; count < Math.min(firstLoops, maxLoops); count++) await startLoop()
  const timer = setInterval(poll, pollSeconds * 1_000)
  return {
    wake,
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}
