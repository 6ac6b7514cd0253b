import { contactListTexts } from '../../texts/en/contact-list-texts.ts'
import type { ContactRow } from './contact-queries.ts'

export const nameOfContact = ({ name, email, phone }: Pick<ContactRow, 'name' | 'email' | 'phone'>): string =>
  name ?? email ?? phone ?? contactListTexts.noName

/** Title and account in one line, as far as they are known. */
export const roleOfContact = ({ title, account }: Pick<ContactRow, 'title' | 'account'>): string =>
  [title, account?.name].filter(Boolean).join(', ')
