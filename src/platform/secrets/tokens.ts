import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Generates a bearer token of 256 random bits (43 characters). Store only its hash. */
export const generateSecretToken = (): string => randomBytes(32).toString('base64url')

/** A fast hash is sufficient, because tokens have full entropy, unlike passwords. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest()

/** Compares in constant time, even for different lengths. */
export const areSecretsEqual = (one: string | Buffer, other: string | Buffer): boolean =>
  timingSafeEqual(digest(one), digest(other))

const digest = (secret: string | Buffer): Buffer => createHash('sha256').update(secret).digest()
