import type { TenantTx } from '#platform/db'
import type { MailContent } from '#platform/mail'
import type { Channels } from './notification.ts'

export type Addressee = {
  name: string | null
  email: string
  /** Whoever is not active hears nothing. */
  isActive: boolean
  /** By kind; what a person said nothing about is as the kind has it. */
  preferences: Record<string, Partial<Channels>>
}

/** Who people are and where they live: the platform itself knows neither users nor workspaces. */
export type AddressBook = {
  find(tx: TenantTx, userId: string): Promise<Addressee | undefined>
  /** The workspace of the transaction, and how a path in it becomes a link. */
  workspace(tx: TenantTx): Promise<MailContent['workspace'] & { urlOf(path: string): string }>
}

let opened: AddressBook | undefined

/** Said once, when the process is assembled. */
export function openAddressBook(book: AddressBook): void {
  opened = book
}

export function addressBook(): AddressBook {
  if (!opened) throw new Error('There is no address book: call openAddressBook first.')
  return opened
}
