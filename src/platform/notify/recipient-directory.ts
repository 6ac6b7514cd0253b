import { createInstanceState, type InstanceMember, type TenantTx } from '#platform/db'
import type { MailContent } from '#platform/mail'
import type { Channels } from './notification.ts'

export type Recipient = {
  name: string | null
  email: string
  isActive: boolean
  preferences: Record<string, Partial<Channels>>
}

/** Looks up users and workspaces for notifications, because the platform does not depend on the modules that own them. */
export type RecipientDirectory = {
  find(tx: TenantTx, userId: string): Promise<Recipient | undefined>
  workspace(tx: TenantTx): Promise<MailContent['workspace'] & { urlOf(path: string): string }>
}

const directories = createInstanceState<RecipientDirectory>('recipient directory')

export const setRecipientDirectory = (db: InstanceMember, directory: RecipientDirectory): void =>
  directories.attach(db, directory)

export const getRecipientDirectory = (tx: TenantTx): RecipientDirectory => directories.get(tx)
