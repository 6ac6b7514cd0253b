import { randomInt } from 'node:crypto'
import { daysLater } from '#platform/clock'
import type { CertificateSettings } from '../records/learning.schemas.ts'
import type { CertificateRow } from './certificates.queries.ts'

export const certificateStatuses = ['valid', 'expired', 'revoked'] as const
export type CertificateStatus = (typeof certificateStatuses)[number]

export function statusOf({ revoked_at, expires_at }: CertificateRow, now: Date): CertificateStatus {
  if (revoked_at) return 'revoked'
  return expires_at && expires_at <= now ? 'expired' : 'valid'
}

/** When a new certificate expires, and when its holder is enrolled again. */
export function planExpiry(
  { valid_days, recertify, recertify_lead_days }: CertificateSettings,
  now: Date,
): { expires_at: Date | null; recertify_at: Date | null } {
  if (valid_days === null) return { expires_at: null, recertify_at: null }
  return {
    expires_at: daysLater(now, valid_days),
    recertify_at: recertify ? daysLater(now, valid_days - recertify_lead_days) : null,
  }
}

/** Crockford's base 32: without I, L, O and U, which are read as other characters. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const randomCharacters = 11
const groupSize = 4

export function createCode(): string {
  const code = Array.from({ length: randomCharacters }, () => alphabet[randomInt(alphabet.length)]!).join('')
  return code + checkCharacterOf(code)
}

/** Calculates the check character by the Luhn mod N algorithm, which finds every single wrong character. */
function checkCharacterOf(code: string): string {
  const sum = [...code].reverse().reduce((total, character, index) => {
    const product = alphabet.indexOf(character) * (index % 2 === 0 ? 2 : 1)
    return total + Math.floor(product / alphabet.length) + (product % alphabet.length)
  }, 0)
  return alphabet[(alphabet.length - (sum % alphabet.length)) % alphabet.length]!
}

export const formatCode = (code: string): string =>
  [0, 1, 2].map((group) => code.slice(group * groupSize, (group + 1) * groupSize)).join('-')

/** Accepts lower case, any separators and the letters that look like digits. Returns nothing if the code is mistyped. */
export function parseCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0')
  const isComplete = code.length === randomCharacters + 1 && [...code].every((one) => alphabet.includes(one))
  return isComplete && checkCharacterOf(code.slice(0, -1)) === code.at(-1) ? code : undefined
}
