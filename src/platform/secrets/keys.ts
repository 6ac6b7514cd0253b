import { randomBytes } from 'node:crypto'

export type NamedKey = { kid: string; key: Buffer }

const keyBytes = 32
const kidPattern = /^[A-Za-z0-9_-]{1,32}$/
/** 32 bytes are 43 characters, and the last of them carries only four bits. */
const keyPattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** An entry for SIGNING_KEYS or SECRETS_KEYS. */
export function newKeyLine(kid: string): string {
  assertKid(kid)
  return `${kid}:${randomBytes(keyBytes).toString('base64url')}`
}

/** The keys of a setting such as SECRETS_KEYS, in the given order; never none. The messages do not repeat the keys. */
export function readKeys(setting: string, lines: string): NamedKey[] {
  if (!lines.trim()) throw new Error(`${setting} is missing: make one with \`npm start -- keys new\``)
  const keys = lines.split(',').map((line, index) => readKey(`Entry ${index + 1} of ${setting}`, line.trim()))
  const kids = new Set(keys.map(({ kid }) => kid))
  if (kids.size < keys.length) throw new Error(`Two entries of ${setting} have the same name: give each its own`)
  return keys
}

function readKey(entry: string, line: string): NamedKey {
  const [kid = '', key = '', ...rest] = line.split(':')
  if (!kidPattern.test(kid) || !keyPattern.test(key) || rest.length)
    throw new Error(
      `${entry} must be a name, a colon and 32 bytes in base64url: make one with \`npm start -- keys new\``,
    )
  return { kid, key: Buffer.from(key, 'base64url') }
}

function assertKid(kid: string): void {
  if (!kidPattern.test(kid)) throw new Error('A key is named with 1 to 32 letters, digits, hyphens or underscores.')
}
