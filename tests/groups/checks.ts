import type { Task } from './lanes.ts'
import { runCommand } from './run-command.ts'

/** Scripts with their expected seconds. They run beside the tests, because each of them uses one core for most of its time. */
const scripts = {
  'check:format': 8,
  'check:types': 50,
  'check:unused': 20,
  'check:generated': 15,
  'check:walk': 12,
}

export const staticChecks = (root: string, onFailure: (name: string) => void): Task[] =>
  Object.entries(scripts).map(([script, seconds]) => ({
    name: `npm run ${script}`,
    lane: 'busy',
    seconds,
    async run() {
      // The compiler would use all cores, on which other lanes run tests with time limits.
      const environment = { ...process.env, GOMAXPROCS: '1' }
      const { code, output } = await runCommand('npm', ['run', '--silent', script], { root, environment })
      if (code !== 0) onFailure(`npm run ${script}`)
      return { hasPassed: code === 0, output }
    },
  }))
