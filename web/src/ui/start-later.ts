type Stop = () => void

/** Starts what is still being loaded, unless it was stopped before. Returns how to stop it. */
export function startLater(loaded: Promise<() => Stop>): Stop {
  let isStopped = false
  let stop: Stop | undefined
  void loaded.then((start) => {
    if (!isStopped) stop = start()
  })
  return () => {
    isStopped = true
    stop?.()
  }
}
