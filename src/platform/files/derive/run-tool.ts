import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readSearchPath } from '#platform/config'
import type { BlobStore } from '#platform/storage'

const timeoutMs = 60_000
const maxOutputBytes = 16 * 1_048_576

/** A program reads files of strangers, so a bug in it must cost little and give access to nothing. */
const resourceLimits = ['--as=1073741824', '--cpu=30', '--fsize=16777216', '--nofile=64', '--core=0']
/** Own network, processes and users: the limit of processes then counts those of the program alone. */
const namespaces = ['--user', '--net', '--ipc', '--pid', '--fork', '--kill-child', '--']
const maxProcesses = { inNamespace: 128, ofUser: 512 }

/** The kernel and the container decide this once for the process. */
let canIsolate: Promise<boolean> | undefined

type ToolResult = { output: Buffer } | 'missing' | 'failed'

/** Runs an external program with limits; it may be missing, and it may fail for a damaged file. Needs `prlimit` of util-linux. */
export async function runTool(program: string, args: readonly string[]): Promise<ToolResult> {
  canIsolate ??= execute(['unshare', ...namespaces, 'true']).then((result) => typeof result !== 'string')
  const isIsolated = await canIsolate
  const processes = isIsolated ? maxProcesses.inNamespace : maxProcesses.ofUser
  const limited = ['prlimit', ...resourceLimits, `--nproc=${processes}`, '--', program, ...args]
  return await execute(isIsolated ? ['unshare', ...namespaces, ...limited] : limited)
}

/** Exit status of `prlimit` and `unshare` if there is no such program. */
const missingStatus = 127

function execute([program, ...args]: readonly string[]): Promise<ToolResult> {
  const options = {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputBytes,
    encoding: 'buffer',
    env: { PATH: readSearchPath() },
  } as const
  return new Promise((resolve) => {
    execFile(program!, args, options, (error, stdout) => {
      if (!error) resolve({ output: stdout })
      else resolve(error.code === 'ENOENT' || error.code === missingStatus ? 'missing' : 'failed')
    })
  })
}

/** Copies a blob to a temporary file, because most programs must be able to seek. */
export async function withLocalCopy<T>(
  storage: BlobStore,
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-derive-'))
  try {
    const path = join(folder, 'file')
    await pipeline((await storage.get(key)).stream, createWriteStream(path))
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
