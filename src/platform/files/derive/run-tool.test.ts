import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newId } from '#platform/ids'
import { openBlobStore, storageKey } from '#platform/storage'
import { runTool, withLocalCopy } from './run-tool.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-tools-'))
const path = process.env.PATH
after(async () => {
  process.env.PATH = path
  await rm(folder, { recursive: true, force: true })
})

async function outputOf(program: string, args: readonly string[] = [], inputPath?: string): Promise<string> {
  const result = await runTool(program, args, inputPath)
  assert.ok(typeof result !== 'string', `${program} ${args.join(' ')}: ${result}`)
  return result.output.toString()
}
const linesOf = async (program: string, args: readonly string[] = [], inputPath?: string) =>
  (await outputOf(program, args, inputPath)).trim().split('\n').sort()

const isIsolated = spawnSync('unshare', ['--user', '--net', '--ipc', '--pid', '--fork', 'true']).status === 0
const hasPrivateRoot =
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/sys']).status === 0

async function storeBlob(content: string) {
  const storage = await openBlobStore({ STORAGE_URL: `file://${folder}/blobs`, S3_REGION: '' })
  const key = storageKey(newId(), 'files', newId())
  await storage.put(key, Buffer.from(content))
  return { storage, key }
}

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

test('a program sees its input and no other file of the worker', { skip: !hasPrivateRoot }, async () => {
  const { storage, key } = await storeBlob('mine')
  const other = await storeBlob('of another workspace')

  await withLocalCopy(storage, key, async (input) => {
    assert.equal(await outputOf('cat', [input], input), 'mine')
    assert.deepEqual(await linesOf('find', ['/tmp', '-type', 'f'], input), [input])
    for (const hidden of [join(folder, 'blobs', other.key), join(process.cwd(), 'package.json'), '/etc/passwd'])
      assert.equal(await runTool('cat', [hidden], input), 'failed', hidden)
  })

  const root = await linesOf('ls', ['/'])
  assert.deepEqual(
    root.filter((name) => !/^(s?bin|lib(32|64|x32)?)$/.test(name)),
    ['dev', 'etc', 'proc', 'tmp', 'usr', 'var'],
  )
  assert.deepEqual(await linesOf('ls', ['/dev']), ['null', 'urandom', 'zero'])
  assert.deepEqual(
    (await linesOf('ls', ['/usr', '/etc', '/var'])).filter((name) => /^(src|home|passwd|lib|environment)$/.test(name)),
    ['lib'],
  )
})

test('a program can change nothing but its temporary folder', { skip: !hasPrivateRoot }, async () => {
  const { storage, key } = await storeBlob('mine')

  await withLocalCopy(storage, key, async (input) => {
    for (const target of ['/', '/usr/bin', '/etc', '/usr/share', input])
      assert.equal(await runTool('test', ['-w', target], input), 'failed', target)
    assert.equal(await outputOf('touch', ['/tmp/tool'], input), '')
    assert.equal(await readFile(input, 'utf8'), 'mine')
  })
  assert.equal(await runTool('cat', ['/tmp/tool']), 'failed')
})

test('a program has no rights and sees no other process', { skip: !hasPrivateRoot }, async () => {
  const status = await outputOf('cat', ['/proc/self/status'])
  const processes = (await linesOf('ls', ['/proc'])).filter((name) => /^\d+$/.test(name))
  const [inside, outside] = (await outputOf('cat', ['/proc/self/uid_map'])).trim().split(/\s+/)

  assert.deepEqual(processes, ['1'])
  assert.match(status, /^CapEff:\s+0+$/m)
  assert.match(status, /^CapBnd:\s+0+$/m)
  assert.match(status, /^NoNewPrivs:\s+1$/m)
  assert.equal(inside, '0')
  assert.equal(outside, String(process.getuid!() || 65_533))
  assert.equal(await runTool('umount', ['/tmp']), 'failed')
  assert.equal(await runTool('unshare', ['--user', 'true']), 'failed')
})

test('a program that is stopped leaves no process, mount or folder', { skip: !hasPrivateRoot }, async () => {
  const { storage, key } = await storeBlob('mine')
  const marker = `stopped by ${process.pid}`
  const mounts = await readFile('/proc/self/mountinfo', 'utf8')
  let copy = ''

  const result = await withLocalCopy(storage, key, async (input) => {
    copy = input
    return await runTool('sh', ['-c', 'sleep 1000 & cat /dev/zero', marker], input)
  })

  assert.equal(result, 'failed')
  assert.equal(await readFile('/proc/self/mountinfo', 'utf8'), mounts)
  await assert.rejects(readFile(copy), { code: 'ENOENT' })
  await waitUntilEnded(marker)
})

async function waitUntilEnded(marker: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    if (!commands.some((command) => command.includes(marker))) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail('The program is still running.')
}

test('a program outside the system folders is the only visible file of its folder', async () => {
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'tools'))
  for (const name of ['convert', 'secret']) {
    await writeFile(join(folder, 'tools', name), '#!/bin/sh\nls "$(dirname "$0")"\n')
    await chmod(join(folder, 'tools', name), 0o755)
  }
  process.env.PATH = `${folder}/tools:${path}`

  assert.deepEqual(await linesOf('convert'), hasPrivateRoot ? ['convert'] : ['convert', 'secret'])
  process.env.PATH = path
})

/** Runs programs in another process, as `user` or below a command that restricts the system. */
function runElsewhere(restriction: readonly string[], user: { uid?: number; gid?: number } = {}) {
  const script = `
    const { runTool, warnAboutWeakIsolation } = await import(${JSON.stringify(import.meta.resolve('./run-tool.ts'))})
    const results = await Promise.all([runTool('ls', ['/', '/proc']), runTool('cat', ['/etc/passwd'])])
    const warnings = []
    await warnAboutWeakIsolation({ warn: ({ isolation }) => warnings.push(isolation) })
    console.log(JSON.stringify([...results.map((result) => result.output?.toString() ?? result), warnings]))`
  const [program, ...args] = [...restriction, process.execPath, '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync(program!, args, { ...user, cwd: '/', encoding: 'utf8' })
  const [listed, passwords, warnings] = JSON.parse(stdout || assert.fail(stderr))
  return { listed, passwords, warnings }
}
const asRoot = ['unshare', '--user', '--map-root-user', '--mount', '--pid', '--fork', 'sh', '-c']

/** Fails if the worker is not root, and if the checkout is in a private folder. */
const canChangeUser = spawnSync(process.execPath, ['--version'], { uid: 65_532, gid: 65_532, cwd: '/' }).status === 0

test('a worker without rights isolates programs in the same way', { skip: !canChangeUser || !hasPrivateRoot }, () => {
  const { listed, passwords, warnings } = runElsewhere([], { uid: 65_532, gid: 65_532 })

  assert.doesNotMatch(listed, /^(home|root|srv)$/m)
  assert.equal(passwords, 'failed')
  assert.deepEqual(warnings, [])
})

test('in a container that hides parts of /proc, programs have none', { skip: !hasPrivateRoot }, () => {
  const hide = 'mount -t proc proc /proc && mount --bind /dev/null /proc/version && exec "$@"'

  const { listed, passwords, warnings } = runElsewhere([...asRoot, hide, 'sh'])

  assert.match(listed, /\/proc:\n$/)
  assert.equal(passwords, 'failed')
  assert.deepEqual(warnings, [])
})

test('a worker that must not create namespaces limits programs and logs a warning', { skip: !hasPrivateRoot }, () => {
  const forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'

  const { passwords, warnings } = runElsewhere([...asRoot, forbid, 'sh'])

  assert.match(passwords, /root/)
  assert.deepEqual(warnings, ['limits'])
})

test('a program that is missing is told from one that fails', async () => {
  assert.equal(await runTool('no-such-program', []), 'missing')
  assert.equal(await runTool('false', []), 'failed')
})
