import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second of /proc, which are 100 on every Linux system in use. */
const ticksPerSecond = 100

/** Returns the seconds of processor time of this process and of the children it has waited for. */
export function ownSeconds(): number {
  const { user = 0, system = 0, childUser = 0, childSystem = 0 } = readProcess('self') ?? {}
  return user + system + childUser + childSystem
}

/** Returns the seconds of processor time of a running process, without its children. */
export function secondsOf(pid: number): number {
  const { user = 0, system = 0 } = readProcess(String(pid)) ?? {}
  return user + system
}

/** Returns the seconds of all ended child processes and of those that these have waited for; undefined on other systems. */
export function childSeconds(): number | undefined {
  const own = readProcess('self')
  return own && own.childUser + own.childSystem
}

/**
 * Sums the processor time of the PostgreSQL sessions of some databases. A session is lost when it ends, so it is read repeatedly and the
 * last value is kept.
 */
export function createSessionMeter(serverPid: number, hasDatabase: (name: string) => boolean) {
  const secondsBySession = new Map<string, number>()
  return {
    read(): number {
      for (const pid of serverPid ? listProcesses() : []) {
        const process = readProcess(pid)
        if (process?.parent !== serverPid) continue
        const database = readTitle(pid).split(' ')[2] ?? ''
        if (hasDatabase(database)) secondsBySession.set(`${pid} ${process.startedAt}`, process.user + process.system)
      }
      return [...secondsBySession.values()].reduce((sum, seconds) => sum + seconds, 0)
    },
  }
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function readProcess(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const seconds = (position: number) => Number(fields[position]) / ticksPerSecond
    return {
      parent: Number(fields[1]),
      user: seconds(11),
      system: seconds(12),
      childUser: seconds(13),
      childSystem: seconds(14),
      startedAt: fields[19],
    }
  } catch {
    return undefined
  }
}

/** Returns for example `postgres: app test_1f2e 127.0.0.1(41234) idle`. */
function readTitle(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
