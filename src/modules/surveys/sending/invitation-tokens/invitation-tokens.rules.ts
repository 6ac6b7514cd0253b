import { createHmac } from 'node:crypto'

export const currentKeyVersion = 1

export const tokenKeyName = (version: number): string => `survey_token_key_v${version}`

/** Derives the token from the id of the invitation, so that reminders contain the same link and no token is stored. */
export const deriveInvitationToken = (key: string, invitationId: string): string =>
  createHmac('sha256', key).update(invitationId).digest('base64url')
