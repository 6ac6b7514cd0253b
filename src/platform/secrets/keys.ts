import { randomBytes } from 'node:crypto'

export type NamedKey = { kid: string; key: Buffer }

const keyBytes = 32
const kidPattern = /^[A-Za-z0-9_-]{1,32}$/
/** 32 bytes in base64url are 43 characters; the last one encodes only four bits. */
const keyPattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

export function generateKeyEntry(kid: string): string {
  assertKid(kid)
  return `${kid}:${randomBytes(keyBytes).toString('base64url')}`
}

export function parseKeys(setting: string, lines: string): NamedKey[] {
  if (!lines.trim()) throw new Error(`${setting} is missing. Generate a key with \`npm start -- keys new\`.`)
  const keys = lines.split(',').map((line, index) => parseKey(`Entry ${index + 1} of ${setting}`, line.trim()))
  const kids = new Set(keys.map(({ kid }) => kid))
  if (kids.size < keys.length) throw new Error(`Two entries of ${setting} have the same name. Names must be unique.`)
  return keys
}

function parseKey(entry: string, line: string): NamedKey {
  const [kid = '', key = '', ...rest] = line.split(':')
  if (!kidPattern.test(kid) || !keyPattern.test(key) || rest.length)
    throw new Error(
      `${entry} must be a name, a colon and 32 bytes in base64url. Generate one with \`npm start -- keys new\`.`,
    )
  return { kid, key: Buffer.from(key, 'base64url') }
}

function assertKid(kid: string): void {
  if (!kidPattern.test(kid)) throw new Error('A key name must have 1 to 32 letters, digits, hyphens or underscores.')
}
