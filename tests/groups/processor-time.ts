import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second of /proc, which are 100 on every Linux system in use. */
const ticksPerSecond = 100

/** Returns the seconds of processor time of this process, without its children. */
export const ownSeconds = (): number => readProcess('self')?.own ?? 0

/** Returns the seconds of processor time of a running process, without its children. */
export const secondsOf = (pid: number): number => readProcess(String(pid))?.own ?? 0

/** Returns the seconds of all ended child processes and of those that these have waited for; undefined on other systems. */
export const childSeconds = (): number | undefined => readProcess('self')?.waited

/**
 * Sums the processor time of the PostgreSQL sessions of some databases. A session is lost when it ends, so it is read repeatedly and the
 * last value is kept.
 */
export function createSessionMeter(serverPid: number, hasDatabase: (name: string) => boolean) {
  const secondsBySession = new Map<string, number>()
  return {
    read(): number {
      for (const pid of serverPid ? readChildren(String(serverPid)) : []) {
        const process = readProcess(pid)
        if (!process) continue
        const database = readTitle(pid).split(' ')[2] ?? ''
        if (hasDatabase(database)) secondsBySession.set(`${pid} ${process.startedAt}`, process.own)
      }
      return [...secondsBySession.values()].reduce((sum, seconds) => sum + seconds, 0)
    },
  }
}

/** Every thread has the children that it has started. Reading all of /proc instead takes 5 ms on a machine with 300 processes. */
export function readChildren(pid: string): string[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) => readText(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean))
  } catch {
    return []
  }
}

/** Returns undefined if the process has ended. `waited` are the seconds of the ended processes it has waited for. */
export function readProcess(pid: string) {
  const text = readText(`/proc/${pid}/stat`)
  if (!text) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const seconds = (position: number) => (Number(fields[position]) + Number(fields[position + 1])) / ticksPerSecond
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
  return { name, own: seconds(11), waited: seconds(13), startedAt: fields[19] }
}

/** Returns for example `postgres: app test_1f2e 127.0.0.1(41234) idle`. */
const readTitle = (pid: string): string => readText(`/proc/${pid}/cmdline`)

/** Returns an empty text for a process that has ended. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
