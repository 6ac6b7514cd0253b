import type { Log } from '#platform/telemetry'

const forceExitAfterMs = 75_000

export function stopOnSignal(log: Log, stop: () => Promise<void>): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  let isStopping = false
  const handleSignal = (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), forceExitAfterMs).unref()
    stop()
      .catch((err) => log.error({ err }, 'stopping failed'))
      .finally(resolve)
  }
  process.once('SIGTERM', handleSignal)
  process.once('SIGINT', handleSignal)
  return stopped
}
