import { Type } from 'typebox'
import { strict } from '#platform/schema'

export const SessionsRevoked = strict({ sessions_revoked: Type.Integer() })
