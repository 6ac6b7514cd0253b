import { AsyncLocalStorage } from 'node:async_hooks'

export type Work = Readonly<Record<string, string | number | null | undefined>>

const describers = new AsyncLocalStorage<() => Work>()

/** Name of a global function, because the watchdog evaluates it in the main thread. */
export const readerName = 'tributary.read_current_work'

/** Runs a request or job so that the watchdog can tell which one stopped the event loop. */
export const runAsWork = <T>(describe: () => Work, run: () => T): T => describers.run(describe, run)

export function installWorkReader(): void {
  Object.assign(globalThis, { [Symbol.for(readerName)]: () => describers.getStore()?.() ?? {} })
}
