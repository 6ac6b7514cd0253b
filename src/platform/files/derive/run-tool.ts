import { createWriteStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readSearchPath } from '#platform/config'
import type { BlobStore } from '#platform/storage'
import type { Log } from '#platform/telemetry'
import { execute, findIsolation, giveTo, type ToolResult, withInputFolder } from './isolation.ts'

/** Runs an external program that can read `inputPath`; it may be missing, and it may fail for a damaged file. Needs `prlimit` of util-linux. */
export async function runTool(program: string, args: readonly string[], inputPath?: string): Promise<ToolResult> {
  const programPath = await findProgram(program)
  if (!programPath) return 'missing'
  const isolation = await findIsolation()
  return isolation ? await execute(isolation, { programPath, args, inputPath }) : 'missing'
}

async function findProgram(program: string): Promise<string | undefined> {
  for (const folder of readSearchPath().split(':').filter(isAbsolute)) {
    const path = join(folder, program)
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return path
  }
  return undefined
}

/** Copies a blob to a temporary file, because most programs must be able to seek. */
export async function withLocalCopy<T>(
  storage: BlobStore,
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const user = (await findIsolation())?.user
  return await withInputFolder(user, async (folder) => {
    const path = join(folder, 'file')
    await pipeline((await storage.get(key)).stream, createWriteStream(path))
    await giveTo(user, path)
    return await work(path)
  })
}

/** Says at startup, not after an incident, that the system does not allow the isolation that programs should have. */
export async function warnAboutWeakIsolation(log: Log): Promise<void> {
  const programs = await Promise.all(['ffmpeg', 'pdftotext'].map(findProgram))
  const isolation = programs.some(Boolean) ? await findIsolation() : undefined
  if (!isolation || isolation.level === 'private_root') return
  log.warn(
    { isolation: isolation.level },
    'programs that read uploaded files can see the files of this worker; allow user and mount namespaces',
  )
}
