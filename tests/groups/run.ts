// npm test: runs all test files, several of them in one process.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupTestFiles, listTestFiles } from './groups.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'tmp/test-groups')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const { shared, alone } = groupTestFiles(listTestFiles(root))
const groups = shared.map((files, n) => {
  const path = `tmp/test-groups/${String(n + 1).padStart(2, '0')}.test.ts`
  const text = `import { runFiles } from '../../tests/groups/run-files.ts'\n\nrunFiles(${JSON.stringify(files, null, 2)})\n`
  writeFileSync(join(root, path), text)
  return path
})

const reporters = ['spec', './tests/outcomes/reporter.ts'].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
])
const flags = [
  '--test',
  '--test-concurrency=2',
  '--test-timeout=240000',
  '--test-global-setup=src/testing/global-setup.ts',
]
const child = spawn(process.execPath, [...flags, ...reporters, ...groups, ...alone], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_COMPILE_CACHE: 'tmp/compile-cache' },
})
child.on('exit', (code) => process.exit(code ?? 1))
