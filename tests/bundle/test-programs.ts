import { bundlePrograms } from '../../scripts/bundle.ts'
import { bundledName } from '../../src/testing/servers/programs.ts'

/** Source files that tests start in processes of their own. */
const programs = [
  'src/main.ts',
  'src/modules/operations/tasks/killable-worker.stand-in.ts',
  'tests/faults/failing-commands.fixture.ts',
  'tests/faults/killable-api.fixture.ts',
]

export async function bundleTestPrograms(folder: string, more: readonly string[] = []): Promise<void> {
  const entries = [...programs, ...more].map((file) => [bundledName(file).replace(/\.js$/, ''), file])
  await bundlePrograms(Object.fromEntries(entries), folder)
}
