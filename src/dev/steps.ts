import { setTimeout as sleep } from 'node:timers/promises'

type Print = (line: string) => void
type Wait = {
  isReady(): Promise<boolean>
  findEnded(): string | undefined
  print: Print
  pauseMs?: number
  reportMs?: number
}

/** Waits as long as the processes run, because a first start on a busy machine takes minutes. */
export async function waitForApi({ isReady, findEnded, print, pauseMs = 100, reportMs = 10_000 }: Wait): Promise<void> {
  const startedAt = Date.now()
  let reportedAt = startedAt
  for (;;) {
    const ended = findEnded()
    if (ended) throw new Error(`The API did not start: \`${ended}\` ended. Its output above says why.`)
    if (await isReady()) return
    await sleep(pauseMs)
    if (Date.now() - reportedAt < reportMs) continue
    reportedAt = Date.now()
    print(`  still starting after ${Math.round((reportedAt - startedAt) / 1_000)} s`)
  }
}

type Migration = { countPending(): Promise<number>; run(): Promise<unknown>; print: Print; reportMs?: number }

/** Prints how many of the migrations are applied, from time to time. */
export async function migrateWithProgress({ countPending, run, print, reportMs = 5_000 }: Migration): Promise<void> {
  const total = await countPending()
  if (!total) return void (await run())
  print(`Migrating the database: ${total} files`)
  const timer = setInterval(async () => {
    const pending = await countPending().catch(() => undefined)
    if (pending !== undefined) print(`  ${total - pending} of ${total} files`)
  }, reportMs)
  try {
    await run()
  } finally {
    clearInterval(timer)
  }
}

export type TaskProgress = { state: string; progress: { done: number; total: number | null } | null }
type TaskReport = {
  name: string
  read(): Promise<TaskProgress | undefined>
  print: Print
  rewrite?: Print
  pauseMs?: number
}

/** Prints the progress of a background task until it ends: in one line of a terminal, otherwise each quarter. */
export async function reportTask({ name, read, print, rewrite, pauseMs = 2_000 }: TaskReport): Promise<void> {
  let printedQuarter = -1
  for (;;) {
    const task = await read()
    if (!task || ['succeeded', 'failed', 'cancelled'].includes(task.state)) {
      rewrite?.('')
      if (task) print(`${name}: ${task.state}`)
      return
    }
    const { done = 0, total = null } = task.progress ?? {}
    const line = `${name}: ${done}${total === null ? '' : ` of ${total}`}`
    const quarter = total ? Math.floor((4 * done) / total) : 0
    if (rewrite) rewrite(line)
    else if (quarter > printedQuarter) print(line)
    printedQuarter = Math.max(quarter, printedQuarter)
    await sleep(pauseMs)
  }
}
