import { createHmac } from 'node:crypto'
import { areSecretsEqual } from '#platform/secrets'

export type TrackedKind = 'click' | 'open'
/** The URL of an open is empty. */
export type TrackedLink = { kind: TrackedKind; runId: string; url: string }

const idLength = 22
const signatureLength = 43
export const maxTokenLength = 4_000

/** Writes run, signature and URL into the token, so that no link is stored and only URLs of the email can be opened. */
export function signLink(key: string, { kind, runId, url }: TrackedLink): string {
  const id = Buffer.from(runId.replaceAll('-', ''), 'hex').toString('base64url')
  const signature = createHmac('sha256', key).update(`${kind}\n${runId}\n${url}`).digest('base64url')
  return `${id}${signature}${Buffer.from(url).toString('base64url')}`
}

/** Compares the whole text, because several texts decode to the same bytes. */
export function verifyLink(key: string, kind: TrackedKind, token: string): TrackedLink | undefined {
  if (token.length < idLength + signatureLength || token.length > maxTokenLength) return undefined
  const id = Buffer.from(token.slice(0, idLength), 'base64url').toString('hex')
  const url = Buffer.from(token.slice(idLength + signatureLength), 'base64url').toString()
  const runId = [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')
  const link = { kind, runId, url }
  return areSecretsEqual(signLink(key, link), token) ? link : undefined
}
