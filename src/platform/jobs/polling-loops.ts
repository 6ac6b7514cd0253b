import type { Job as ClaimedJob, JobResult, PgBoss } from 'pg-boss'

type Loop = { id: string; isBusy: boolean }
type LoopOptions = { loops: number; batchSize: number; maxPerTenant?: number; pollSeconds: number }

export type PollingLoops = {
  wake(): void
}

/** Starts loops that poll again immediately after a batch and sleep when the queue is empty; a full batch wakes the next loop. */
export async function startPollingLoops<Data extends object>(
  boss: PgBoss,
  queue: string,
  { loops: count, batchSize, maxPerTenant, pollSeconds }: LoopOptions,
  run: (jobs: ClaimedJob<Data>[]) => Promise<JobResult[]>,
): Promise<PollingLoops> {
  const loops: Loop[] = []
  const wake = () => {
    const idle = loops.find(({ isBusy }) => !isBusy)
    for (const { id } of idle ? [idle] : loops) boss.notifyWorker(id)
  }
  const options = {
    batchSize,
    perJobResults: true,
    pollingIntervalSeconds: pollSeconds,
    heartbeatRefreshSeconds: 3,
    ...(maxPerTenant && { groupConcurrency: maxPerTenant }),
  } as const

  for (let index = 0; index < count; index++) {
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
  return { wake }
}
