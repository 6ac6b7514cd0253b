import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits in 43 characters. Whoever shows it gets in, so only its hash is stored. */
export const newSecretToken = (): string => randomBytes(32).toString('base64url')

/** A fast hash is enough: a token cannot be guessed, unlike a password. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest()

/** Takes the same time wherever the two differ, also when their lengths do. */
export const isSameSecret = (one: string | Buffer, other: string | Buffer): boolean =>
  timingSafeEqual(digest(one), digest(other))

const digest = (secret: string | Buffer): Buffer => createHash('sha256').update(secret).digest()
