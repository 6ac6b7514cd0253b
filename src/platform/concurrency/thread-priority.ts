import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Leaves the processor to requests. Works on Linux only, where priorities are per thread. */
export function lowerThreadPriority(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}
