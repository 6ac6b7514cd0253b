import { randomBytes } from 'node:crypto'
import { deriveSigningKeys, hmac } from './signed-tokens.ts'
import { areSecretsEqual } from './tokens.ts'

export type TaggedTokens = {
  /** Generates a token of 128 random bits and a tag of 128 bits (43 characters). Store only its hash. */
  generate(context: string): string
  /** True for tokens of this context. False says nothing about tokens of a key that is no longer used. */
  isTagged(context: string, token: string): boolean
}

const halfBytes = 16

/** Random tokens that a process recognizes without the database. Whether they are still valid is stored there. */
export function createTaggedTokens(signingKeys: string, purpose: string): TaggedTokens {
  const keys = deriveSigningKeys(signingKeys, purpose)
  const tag = (key: Buffer, context: string, random: Buffer) => {
    const tagOf = hmac(key, `${random.toString('base64url')} ${context}`).subarray(0, halfBytes)
    return Buffer.concat([random, tagOf]).toString('base64url')
  }
  return {
    generate: (context) => tag(keys[0]!, context, randomBytes(halfBytes)),
    isTagged(context, token) {
      const random = Buffer.from(token, 'base64url').subarray(0, halfBytes)
      return keys.some((key) => areSecretsEqual(tag(key, context, random), token))
    },
  }
}
