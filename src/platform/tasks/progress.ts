export type TaskProgress = { done: number; total: number | null }

const writeIntervalMs = 500

export function createProgressReporter(write: (progress: TaskProgress) => Promise<void>) {
  let latest: TaskProgress | undefined
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let writtenAtMs = Number.NEGATIVE_INFINITY

  function scheduleWrite(): void {
    if (timer || writing || !latest) return
    timer = setTimeout(flush, Math.max(0, writtenAtMs + writeIntervalMs - performance.now()))
  }

  function flush(): void {
    const progress = latest
    timer = undefined
    latest = undefined
    if (!progress) return
    writtenAtMs = performance.now()
    // A failed write is replaced by the next report or returned by `stop`.
    writing = write(progress)
      .catch(() => {
        latest ??= progress
      })
      .finally(() => {
        writing = undefined
        if (!isStopped) scheduleWrite()
      })
  }

  let isStopped = false
  return {
    report(done: number, total?: number): void {
      if (isStopped || !Number.isFinite(done) || done < 0) return
      latest = {
        done: Math.max(Math.trunc(done), latest?.done ?? 0),
        total: total === undefined ? (latest?.total ?? null) : Math.trunc(total),
      }
      scheduleWrite()
    },
    async stop(): Promise<TaskProgress | undefined> {
      isStopped = true
      clearTimeout(timer)
      await writing
      return latest
    },
  }
}
