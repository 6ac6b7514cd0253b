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
/** `customer` gets emails and has links and passwords, `visitor` a link without its password; `operator` reads the log. */
const otherNames = [
  'impersonator',
  'customer',
  'visitor',
  'anonymous',
  'admin of another workspace',
  'operator',
] as const

export type UserName = (typeof userNames)[number]
export type ReaderName = UserName | (typeof otherNames)[number] | (typeof keyScopes)[number]
export const readerNames: readonly ReaderName[] = [...userNames, ...keyScopes, ...otherNames]

/** A reader that sends requests. */
export type Reader = { name: ReaderName; client: Client; host: string; authorization?: string }

export const isUser = (name: ReaderName): boolean => (userNames as readonly string[]).includes(name)
export const isKey = (name: ReaderName): boolean => (keyScopes as readonly string[]).includes(name)
