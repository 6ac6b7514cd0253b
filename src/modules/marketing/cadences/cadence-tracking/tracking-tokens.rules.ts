import { createHmac } from 'node:crypto'
import { escapeHtml } from '#platform/html'
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

/** Programs that open links of emails to check them. Image proxies of mail providers are not scanners: a person opened the email. */
const scannerPattern =
  /\b(bot|crawl(er|ing)?|spider|slurp|scanner|linkcheck(er)?|urlscan|barracuda|mimecast|proofpoint|symantec|messagelabs|trendmicro|sophos|forcepoint|fireeye|cloudmark|virustotal|googlesafety|safelinks|skypeuripreview|bingpreview|facebookexternalhit|whatsapp|telegrambot|slackbot|headlesschrome|phantomjs|curl|wget|python-requests|python-urllib|go-http-client|okhttp|java|libwww-perl|axios|node-fetch)\b|bot\//i

const minSecondsAfterSend = 2

type Hit = { method: string; userAgent: string | undefined }

export const isScanner = ({ method, userAgent }: Hit): boolean =>
  method === 'HEAD' || !userAgent || scannerPattern.test(userAgent)

/** Emails that were sent after this time may have been opened by the receiving server only. */
export const latestSendTime = (now: Date): Date => new Date(now.getTime() - minSecondsAfterSend * 1_000)

export function addOpenImage(html: string, imageUrl: string): string {
  const image = `<img src="${escapeHtml(imageUrl)}" width="1" height="1" alt="" style="display:block">`
  const end = html.lastIndexOf('</body>')
  return end < 0 ? `${html}${image}` : `${html.slice(0, end)}${image}\n${html.slice(end)}`
}
