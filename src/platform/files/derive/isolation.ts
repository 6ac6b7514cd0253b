import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSearchPath } from '#platform/config'
import { withPrivateRoot } from './private-root.ts'

export type ToolResult = { output: Buffer } | 'missing' | 'failed'
export type Tool = { programPath: string; args: readonly string[]; inputPath?: string }

type User = { uid: number; gid: number }
/** `user` is set if the worker is root: it gives the program a user that owns nothing else. */
type Isolation = { level: 'private_root' | 'namespaces' | 'limits'; user?: User }

const levels = ['private_root', 'namespaces', 'limits'] as const
const toolUser: User = { uid: 65_533, gid: 65_533 }

const timeoutMs = 60_000
const maxOutputBytes = 16 * 1_048_576

/** A program reads files of strangers, so a bug in it must cost little and give access to nothing. */
const resourceLimits = ['--as=1073741824', '--cpu=30', '--fsize=16777216', '--nofile=64', '--core=0']
/** Own network, processes and users: the limit of processes then counts those of the program alone. */
const namespaces = ['--user', '--net', '--ipc', '--pid', '--fork', '--kill-child']
const maxProcesses = { inNamespace: 128, ofUser: 512 }

let isolationOfProcess: Isolation | undefined

/** Finds the strongest isolation that the kernel and the container allow, once for the process; undefined without `prlimit`. */
export async function findIsolation(): Promise<Isolation | undefined> {
  isolationOfProcess ??= await probeIsolation()
  return isolationOfProcess
}

async function probeIsolation(): Promise<Isolation | undefined> {
  const users = process.getuid?.() === 0 ? [toolUser, undefined] : [undefined]
  for (const level of levels) for (const user of users) if (await isAllowed({ level, user })) return { level, user }
  return undefined
}

async function isAllowed(isolation: Isolation): Promise<boolean> {
  const isRead = withInputFolder(isolation.user, async (folder) => {
    const inputPath = join(folder, 'file')
    await writeFile(inputPath, 'input')
    await giveTo(isolation.user, inputPath)
    const result = await execute(isolation, { programPath: '/bin/cat', args: [inputPath], inputPath })
    return typeof result !== 'string' && result.output.toString() === 'input'
  })
  // A container can also forbid giving files to another user.
  return await isRead.catch(() => false)
}

export async function withInputFolder<T>(user: User | undefined, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-derive-'))
  try {
    await giveTo(user, folder)
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function giveTo(user: User | undefined, path: string): Promise<void> {
  if (user) await chown(path, user.uid, user.gid)
}

/** Exit status of `prlimit`, `setpriv` and `unshare` if there is no such program. */
const missingStatus = 127

export function execute(isolation: Isolation, tool: Tool): Promise<ToolResult> {
  const [program, ...args] = toCommand(isolation, tool)
  const options = {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputBytes,
    encoding: 'buffer',
    env: { PATH: readSearchPath() },
    cwd: '/',
    ...isolation.user,
  } as const
  return new Promise((resolve) => {
    const onEnd = (error: { code?: unknown } | null, output = Buffer.alloc(0)) => {
      if (!error) resolve({ output })
      else resolve(error.code === 'ENOENT' || error.code === missingStatus ? 'missing' : 'failed')
    }
    try {
      execFile(program!, args, options, onEnd)
    } catch (error) {
      // A container can forbid changing the user, which is reported before the program starts.
      onEnd(error as NodeJS.ErrnoException)
    }
  })
}

function toCommand({ level }: Isolation, { programPath, args, inputPath }: Tool): string[] {
  const processes = level === 'limits' ? maxProcesses.ofUser : maxProcesses.inNamespace
  const limited = ['prlimit', ...resourceLimits, `--nproc=${processes}`, '--', programPath, ...args]
  if (level === 'limits') return limited
  if (level === 'namespaces') return ['unshare', ...namespaces, '--', ...limited]
  const command = withPrivateRoot({ programPath, inputPath, command: limited })
  return ['unshare', ...namespaces, '--map-root-user', '--mount', '--', ...command]
}
