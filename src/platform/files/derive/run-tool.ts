import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '#platform/storage'

const timeoutMs = 60_000
const maxOutputBytes = 16 * 1_048_576

type ToolResult = { output: Buffer } | 'missing' | 'failed'

/** Runs an external program; it may be missing, and it may fail for a damaged file. */
export function runTool(program: string, args: readonly string[]): Promise<ToolResult> {
  return new Promise((resolve) => {
    const options = {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxOutputBytes,
      encoding: 'buffer',
    } as const
    execFile(program, args, options, (error, stdout) => {
      if (!error) resolve({ output: stdout })
      else resolve(error.code === 'ENOENT' ? 'missing' : 'failed')
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
