import { randomBytes } from 'node:crypto'
import { digestOf } from './digest.ts'

type ExportedEntry = { resource_label: string | null; changes: unknown; redacted_at: string | null; digest: string }

/** Gives an exported entry, which has no salt, a new digest. Without transaction id it is sealed in the chain of its new workspace. */
export function renewAuditEntry(line: string): string {
  const { epoch: _epoch, xact: _xact, ...entry }: ExportedEntry & { epoch?: unknown; xact?: unknown } = JSON.parse(line)
  if (entry.redacted_at !== null) return JSON.stringify(entry)
  const salt = randomBytes(16)
  return JSON.stringify({ ...entry, salt: toHex(salt), digest: toHex(digestOf(salt, entry)) })
}

export const renewedAuditColumns = (columns: readonly string[]): string[] => [
  ...columns.filter((column) => column !== 'epoch' && column !== 'xact'),
  'salt',
]

const toHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`
