import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseKeys } from './keys.ts'

export type SignedTokens<Claims> = {
  sign(claims: Claims): string
  /** Returns undefined for a token that was not signed here or has other claims. */
  verify(token: string): Claims | undefined
  /** A keyed hash, for values with few possibilities such as codes. */
  hash(text: string): Buffer
}

const tokenPattern = /^([\w-]{1,600})\.([\w-]{43})$/

/** Signs claims with a key of their own per purpose. Without SIGNING_KEYS, which production requires, tokens end with the process. */
export function createSignedTokens<S extends TSchema>(
  signingKeys: string,
  purpose: string,
  schema: S,
): SignedTokens<Static<S>> {
  const check = Compile(schema)
  const keys = deriveSigningKeys(signingKeys, purpose)
  return {
    sign(claims) {
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
      return `${payload}.${hmac(keys[0]!, payload).toString('base64url')}`
    },
    verify(token) {
      const [, payload = '', signature = ''] = tokenPattern.exec(token) ?? []
      const given = Buffer.from(signature, 'base64url')
      if (given.length !== 32 || !keys.some((key) => timingSafeEqual(hmac(key, payload), given))) return undefined
      const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
      return check.Check(claims) ? (claims as Static<S>) : undefined
    },
    hash: (text) => hmac(keys[0]!, text),
  }
}

export function deriveSigningKeys(signingKeys: string, purpose: string): Buffer[] {
  const masters = signingKeys ? parseKeys('SIGNING_KEYS', signingKeys).map(({ key }) => key) : [randomBytes(32)]
  return masters.map((key) => Buffer.from(hkdfSync('sha256', key, '', `tributary ${purpose} v1`, 32)))
}

export const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
