import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveSigningKeys, hmac } from './signed-tokens.ts'

/** Generates a bearer token of 256 random bits (43 characters). Store only its hash. */
export const generateSecretToken = (): string => randomBytes(32).toString('base64url')

/** A fast hash is sufficient, because tokens have full entropy, unlike passwords. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest()

/** Compares in constant time, even for different lengths. */
export const areSecretsEqual = (one: string | Buffer, other: string | Buffer): boolean =>
  timingSafeEqual(digest(one), digest(other))

const digest = (secret: string | Buffer): Buffer => createHash('sha256').update(secret).digest()

export type TaggedTokens = {
  /** Generates a token of 128 random bits and a tag of 128 bits (43 characters), followed by the payload. Store only its hash. */
  generate(context: string, payload?: string): string
  /** True for tokens of this context. False says nothing about tokens of a key that is no longer used. */
  isTagged(context: string, token: string): boolean
  /** Returns the text after the tag, whether or not the token is valid. */
  payloadOf(token: string): string
}

const halfBytes = 16
const tagEnd = 43

/** Random tokens that a process recognizes without the database. Whether they are still valid is stored there. */
export function createTaggedTokens(signingKeys: string, purpose: string): TaggedTokens {
  const keys = deriveSigningKeys(signingKeys, purpose)
  const tag = (key: Buffer, context: string, random: Buffer, payload: string) => {
    const tagged = [random.toString('base64url'), context, ...(payload ? [payload] : [])].join(' ')
    const tagOf = hmac(key, tagged).subarray(0, halfBytes)
    return `${Buffer.concat([random, tagOf]).toString('base64url')}${payload}`
  }
  const payloadOf = (token: string) => token.slice(tagEnd)
  return {
    generate: (context, payload = '') => tag(keys[0]!, context, randomBytes(halfBytes), payload),
    isTagged(context, token) {
      const random = Buffer.from(token.slice(0, tagEnd), 'base64url').subarray(0, halfBytes)
      return keys.some((key) => areSecretsEqual(tag(key, context, random, payloadOf(token)), token))
    },
    payloadOf,
  }
}
