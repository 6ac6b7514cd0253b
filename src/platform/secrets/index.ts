export { type NamedKey, newKeyLine, readKeys } from './keys.ts'
export { openSecretBox, type SealedSecret, type SecretBox, type SecretPlace, SecretUnreadable } from './secret-box.ts'
export { hashToken, isSameSecret, newSecretToken } from './tokens.ts'
