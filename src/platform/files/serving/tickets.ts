import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Clock, secondsLater } from '#platform/clock'
import { type Config, isProduction } from '#platform/config'
import { unauthenticated } from '#platform/errors'
import type { FileTicket } from '#platform/http'
import { Id, nullable, strict } from '#platform/schema'
import { parseKeys } from '#platform/secrets'

const Payload = Compile(
  strict({
    tenant: Id,
    file: Id,
    user: nullable(Id),
    visit: Type.Optional(Id),
    disp: Type.Enum(['inline', 'attachment']),
    iat: Type.Integer(),
    exp: Type.Integer(),
  }),
)

type NewTicket = {
  tenantId: string
  fileId: string
  userId: string | null
  visitId?: string
  disposition?: FileTicket['disposition']
  seconds?: number
}
export type FileTickets = {
  issue(ticket: NewTicket): string
  verify(ticket: string, tenantId: string): FileTicket
}

const defaultSeconds = 3_600
const ticketPattern = /^([\w-]{1,600})\.([\w-]{43})$/

export function createFileTickets(config: Pick<Config, 'SIGNING_KEYS' | 'NODE_ENV'>, clock: Clock): FileTickets {
  const keys = signingKeys(config).map((key) =>
    Buffer.from(hkdfSync('sha256', key, '', 'tributary file tickets v1', 32)),
  )
  const sign = (key: Buffer, payload: string) => createHmac('sha256', key).update(payload).digest()
  return {
    issue({ tenantId, fileId, userId, visitId, disposition = 'inline', seconds = defaultSeconds }) {
      const issuedAt = clock.now()
      const [iat, exp] = [issuedAt.getTime(), secondsLater(issuedAt, seconds).getTime()]
      const claims = { tenant: tenantId, file: fileId, user: userId, visit: visitId, disp: disposition, iat, exp }
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
      return `${payload}.${sign(keys[0]!, payload).toString('base64url')}`
    },
    verify(ticket, tenantId) {
      const [, payload = '', signature = ''] = ticketPattern.exec(ticket) ?? []
      const given = Buffer.from(signature, 'base64url')
      const isSigned = given.length === 32 && keys.some((key) => timingSafeEqual(sign(key, payload), given))
      const claims: unknown = isSigned ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : undefined
      if (!Payload.Check(claims) || claims.tenant !== tenantId || claims.exp <= clock.now().getTime())
        throw unauthenticated('authentication_required', 'The ticket is invalid or has expired. Request a new URL.')
      const { file, user, visit = null, disp, iat, exp } = claims
      const [issuedAt, expiresAt] = [new Date(iat), new Date(exp)]
      return { fileId: file, userId: user, visitId: visit, disposition: disp, issuedAt, expiresAt }
    },
  }
}

const signingKeys = (config: Pick<Config, 'SIGNING_KEYS' | 'NODE_ENV'>): Buffer[] =>
  config.SIGNING_KEYS || isProduction(config)
    ? parseKeys('SIGNING_KEYS', config.SIGNING_KEYS).map(({ key }) => key)
    : [randomBytes(32)]
