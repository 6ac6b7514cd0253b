import { counters } from '../../src/testing/counters.ts'
import { databasePrefix } from '../../src/testing/test-database.ts'
import { createTreeMeter } from './process-tree.ts'
import { createSessionMeter, ownSeconds } from './processor-time.ts'
import { measureReferenceWork, referencePart } from './reference-work.ts'

/** Processor time of this process, of its PostgreSQL sessions, and of browsers and other programs that it has started. */
export const processorMetrics = ['node', 'postgres', 'browser', 'other'] as const
const metrics = [...processorMetrics, 'applications', 'databases', 'requests', 'statements', 'rows'] as const

/** Processor time in seconds and counted work of a test file. */
export type FileUsage = { file: string } & Record<(typeof metrics)[number], number>

/** Returns the seconds of processor time of a file. */
export const secondsOfUsage = (usage: FileUsage): number =>
  processorMetrics.reduce((sum, metric) => sum + usage[metric], 0)

/** Stands for the start and the end of a process in the usage of its files. */
export const processPart = 'process'

/** Measures the work of each test file of this process. */
export function startFileMeter() {
  const prefix = databasePrefix()
  const sessions = createSessionMeter(Number(process.env.TEST_POSTGRES_PID ?? 0), (name) => name.startsWith(prefix))
  const tree = createTreeMeter()
  const readAll = () => ({ node: ownSeconds(), postgres: sessions.read(), ...tree.read(), ...counters })
  const readings = setInterval(readAll, 1_000).unref()
  const usages: FileUsage[] = []
  let file = processPart
  let before = { ...readAll(), node: 0 }
  const endFile = () => {
    const now = readAll()
    const usage = Object.fromEntries(metrics.map((metric) => [metric, now[metric] - before[metric]]))
    usages.push({ file, ...usage } as FileUsage)
    before = now
  }
  const none = Object.fromEntries(metrics.map((metric) => [metric, 0])) as Omit<FileUsage, 'file'>
  return {
    measureReference() {
      endFile()
      usages.push({ ...none, file: referencePart, node: measureReferenceWork() })
      before = readAll()
    },
    startFile(next: string) {
      endFile()
      file = next
    },
    stop(): FileUsage[] {
      clearInterval(readings)
      endFile()
      return usages
    },
  }
}
