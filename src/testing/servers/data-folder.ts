import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const devFolder = join(import.meta.dirname, '../../../.dev')

/** Creates a data folder that the postgres user can reach, because PostgreSQL does not run as root. */
export async function createDataFolder(home: string, name: string): Promise<string> {
  const folder = join(home, name)
  await mkdir(folder, { recursive: true })
  await chmod(home, 0o711)
  if (dirname(home) === devFolder) await chmod(devFolder, 0o711)
  return folder
}
