import { runPendingJobs } from '../matrix/leaks.ts'
import type { MatrixApp } from '../matrix/matrix-app.ts'
import { findLongTurns } from './event-loop.ts'
import { maxTurnMs } from './measured-app.ts'

/** Runs all jobs of the workspaces and returns a message for each turn of the event loop that takes too long. */
export async function findLongJobs(app: MatrixApp): Promise<string[]> {
  const { turns } = await findLongTurns(() => runPendingJobs(app), { limitMs: maxTurnMs })
  return turns.map(({ ms, functions }) => `the worker stood still for ${Math.round(ms)} ms in ${functions.join(', ')}`)
}
