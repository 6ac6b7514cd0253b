import { leadTexts } from '../../texts/en/lead-texts.ts'
import type { LeadRow } from './lead-queries.ts'

export const nameOfLead = ({ name, email, company }: Pick<LeadRow, 'name' | 'email' | 'company'>): string =>
  name ?? email ?? company ?? leadTexts.noName

/** Title and company in one line, as far as they are known. */
export const roleOfLead = ({ title, company }: Pick<LeadRow, 'title' | 'company'>): string =>
  [title, company].filter(Boolean).join(', ')

/** `content_download` becomes `Content download`, until the labels of the workspace are known. */
export const labelOfKey = (key: string): string => {
  const words = key.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
