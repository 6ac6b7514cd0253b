import { bundleApplication } from '../../scripts/bundle.ts'
import { bundledName } from '../../src/testing/programs.ts'

/** Source files that tests start in processes of their own. */
const programs = ['src/main.ts', 'tests/faults/killable-api.fixture.ts']

/** Bundles the programs and test files of a run. Failed files run again from their source, so source maps are not needed. */
export async function bundleTests(folder: string, testFiles: readonly string[] = []): Promise<void> {
  const names = [...programs, ...testFiles].map((file) => [bundledName(file).replace(/\.js$/, ''), file])
  await bundleApplication({ entries: Object.fromEntries(names), folder, sharedFrom: 'src/commands/cli.ts' })
}
