/** Runs `write` on demand or after a delay, one run at a time. `write` must not reject. */
export function createFlusher(write: () => Promise<void>) {
  let flushing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    flushing = flushing.then(write)
    return flushing
  }

  return {
    flush,
    /** Keeps the time of a flush that is already scheduled. */
    scheduleFlush(milliseconds: number): void {
      timer ??= setTimeout(() => void flush(), milliseconds).unref()
    },
  }
}
