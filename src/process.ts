import type { Log } from '#platform/telemetry'

const patienceMilliseconds = 75_000

/** Ends the process in good order when it is asked to, once, and by force when that takes too long. */
export function stopOnSignal(log: Log, stop: () => Promise<void>): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  let isStopping = false
  const begin = (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), patienceMilliseconds).unref()
    stop()
      .catch((err) => log.error({ err }, 'stopping failed'))
      .finally(resolve)
  }
  process.once('SIGTERM', begin)
  process.once('SIGINT', begin)
  return stopped
}
