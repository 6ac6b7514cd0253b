export type Progress = { done: number; total: number | null }

const everyMs = 500

/** Keeps the newest figure and writes it at most twice a second, beside whatever else is going on. */
export function reportProgress(write: (progress: Progress) => Promise<void>) {
  let latest: Progress | undefined
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let writtenAtMs = Number.NEGATIVE_INFINITY

  function plan(): void {
    if (timer || writing || !latest) return
    timer = setTimeout(flush, Math.max(0, writtenAtMs + everyMs - performance.now()))
  }

  function flush(): void {
    const progress = latest
    timer = undefined
    latest = undefined
    if (!progress) return
    writtenAtMs = performance.now()
    // A figure that could not be written is overtaken by the next one, or told in the end.
    writing = write(progress)
      .catch(() => {
        latest ??= progress
      })
      .finally(() => {
        writing = undefined
        if (!isStopped) plan()
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
      plan()
    },
    /** Nothing is written after this. Returns the figure that was not written any more. */
    async stop(): Promise<Progress | undefined> {
      isStopped = true
      clearTimeout(timer)
      await writing
      return latest
    },
  }
}
