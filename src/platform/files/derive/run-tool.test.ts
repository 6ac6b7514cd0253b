import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { runTool } from './run-tool.ts'

async function outputOf(program: string, args: readonly string[] = []): Promise<string> {
  const result = await runTool(program, args)
  assert.ok(typeof result !== 'string', String(result))
  return result.output.toString()
}
const isIsolated = spawnSync('unshare', ['--user', '--net', '--ipc', '--pid', '--fork', 'true']).status === 0

test('a program sees nothing of the environment but the search path', async () => {
  assert.equal(await outputOf('env'), `PATH=${process.env.PATH}\n`)
})

test('memory, processor time, processes and files of a program are limited', async () => {
  const limits = new Map(
    (await outputOf('cat', ['/proc/self/limits'])).split('\n').map((line) => {
      const [name, soft] = line.split(/\s{2,}/)
      return [name, soft]
    }),
  )
  const allocate = (size: string) => runTool('dd', ['if=/dev/zero', 'of=/dev/null', 'count=1', `bs=${size}`])

  assert.equal(limits.get('Max address space'), String(1_024 ** 3))
  assert.equal(limits.get('Max cpu time'), '30')
  assert.equal(limits.get('Max processes'), isIsolated ? '128' : '512')
  assert.equal(limits.get('Max file size'), String(16 * 1_024 ** 2))
  assert.notEqual(await allocate('1M'), 'failed')
  assert.equal(await allocate('2G'), 'failed')
})

test('a program has no network where the kernel allows it', { skip: !isIsolated }, async () => {
  const interfaces = (await outputOf('cat', ['/proc/net/dev'])).match(/^\s*\S+(?=:)/gm) ?? []

  assert.deepEqual(
    interfaces.map((name) => name.trim()),
    ['lo'],
  )
})

test('a program that is missing is told from one that fails', async () => {
  assert.equal(await runTool('no-such-program', []), 'missing')
  assert.equal(await runTool('false', []), 'failed')
})
