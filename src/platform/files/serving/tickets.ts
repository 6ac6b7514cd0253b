import { Type } from 'typebox'
import { type Clock, secondsLater } from '#platform/clock'
import type { Config } from '#platform/config'
import { unauthenticated } from '#platform/errors'
import type { FileTicket } from '#platform/http'
import { Id, nullable, strict } from '#platform/schema'
import { createSignedTokens } from '#platform/secrets'

const TicketClaims = strict({
  tenant: Id,
  file: Id,
  user: nullable(Id),
  visit: Type.Optional(Id),
  disp: Type.Enum(['inline', 'attachment']),
  iat: Type.Integer(),
  exp: Type.Integer(),
})

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

export function createFileTickets({ SIGNING_KEYS }: Pick<Config, 'SIGNING_KEYS'>, clock: Clock): FileTickets {
  const tokens = createSignedTokens(SIGNING_KEYS, 'file tickets', TicketClaims)
  return {
    issue({ tenantId, fileId, userId, visitId, disposition = 'inline', seconds = defaultSeconds }) {
      const issuedAt = clock.now()
      const [iat, exp] = [issuedAt.getTime(), secondsLater(issuedAt, seconds).getTime()]
      return tokens.sign({ tenant: tenantId, file: fileId, user: userId, visit: visitId, disp: disposition, iat, exp })
    },
    verify(ticket, tenantId) {
      const claims = tokens.verify(ticket)
      if (claims?.tenant !== tenantId || claims.exp <= clock.now().getTime())
        throw unauthenticated('authentication_required', 'The ticket is invalid or has expired. Request a new URL.')
      const { file, user, visit = null, disp, iat, exp } = claims
      const [issuedAt, expiresAt] = [new Date(iat), new Date(exp)]
      return { fileId: file, userId: user, visitId: visit, disposition: disp, issuedAt, expiresAt }
    },
  }
}
