import type { Job as Claimed, JobResult, PgBoss } from 'pg-boss'

type Loop = { id: string; isBusy: boolean }
type Settings = { loops: number; batchSize: number; perTenant?: number; pollSeconds: number }

/** Who asks for the jobs of one queue. */
export type Loops = {
  /** There may be something to do: one that is free looks at once. */
  wake(): void
}

/**
 * Each asks again as soon as it has done what it got, and only rests when it got nothing. Who gets a full batch wakes the
 * next: a single job is asked for once, a flood by all.
 */
export async function startLoops<Data extends object>(
  boss: PgBoss,
  queue: string,
  { loops: count, batchSize, perTenant, pollSeconds }: Settings,
  run: (jobs: Claimed<Data>[]) => Promise<JobResult[]>,
): Promise<Loops> {
  const loops: Loop[] = []
  const wake = () => {
    const free = loops.find(({ isBusy }) => !isBusy)
    for (const { id } of free ? [free] : loops) boss.notifyWorker(id)
  }
  const options = {
    batchSize,
    perJobResults: true,
    pollingIntervalSeconds: pollSeconds,
    heartbeatRefreshSeconds: 3,
    ...(perTenant && { groupConcurrency: perTenant }),
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
