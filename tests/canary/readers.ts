import type { Client } from '../matrix/matrix-tenant.ts'

/** Users of the workspace. `owner` is a member whose records are read; `lead` leads the team of the owner. */
export const userNames = ['admin', 'manager', 'lead', 'owner', 'member', 'viewer'] as const
/** Scopes of keys with one scope, which an admin has created. */
export const keyScopes = [
  'surveys.read',
  'leads.read',
  'contacts.read',
  'admin.read',
  'content.read',
  'pitch.read',
] as const
/** `customer` gets emails and has links and passwords; `operator` reads the log. */
const otherNames = ['impersonator', 'customer', 'anonymous', 'admin of another workspace', 'operator'] as const

export type UserName = (typeof userNames)[number]
export type ReaderName = UserName | (typeof otherNames)[number] | (typeof keyScopes)[number]
export const readerNames: readonly ReaderName[] = [...userNames, ...keyScopes, ...otherNames]

/** Readers that send requests. */
export type Reader = { name: ReaderName; client: Client /** For bytes and event streams. */; authorization?: string }
