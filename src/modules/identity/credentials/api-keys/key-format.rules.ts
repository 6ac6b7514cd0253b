import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const keyPrefix = 'svc_live_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32
const checksumLength = 6
const shape = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** 190 random bits and a checksum, so that typos and scanner hits are detected without a database lookup. */
export function generateKey(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return withChecksum(`${keyPrefix}${secret}`)
}

export const withChecksum = (body: string): string => `${body}${base62(crc32(body)).padStart(checksumLength, '0')}`

export const isWellFormedKey = (text: string): boolean =>
  shape.test(text) && withChecksum(text.slice(0, -checksumLength)) === text

export const keyHints = (text: string) => ({
  key_prefix: text.slice(0, keyPrefix.length + 6),
  last_four: text.slice(-4),
})

function base62(value: number): string {
  const rest = Math.floor(value / alphabet.length)
  const digit = alphabet[value % alphabet.length]!
  return rest === 0 ? digit : base62(rest) + digit
}
